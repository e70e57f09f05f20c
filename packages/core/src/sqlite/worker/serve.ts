import type { MessagePort } from 'node:worker_threads'
import type { FromWorker, SentCommand, ToWorker, WorkerSetup } from '../wire.js'
import { BatchLoop } from './batch-loop.js'
import type { Connection } from './connection.js'
import { openDatabase, type OpenDatabase } from './open-database.js'
import { StoreRefusal } from './store-refusal.js'

/** Serves a store over a port until it is told to close, or refuses and ends when its file cannot be opened. */
export async function serve(port: MessagePort, setup: WorkerSetup): Promise<void> {
  const tell = (message: FromWorker): void => port.postMessage(message)
  try {
    const database = await openDatabase(setup, tell)
    tell({ type: 'opened' })
    listen(port, database, setup)
  } catch (error) {
    if (!(error instanceof StoreRefusal)) throw error
    tell({ type: 'refused', failure: error.failure })
    port.close()
  }
}

function listen(port: MessagePort, database: OpenDatabase, { path, patienceMs }: WorkerSetup): void {
  const { connection } = database
  const answer = (answers: readonly string[], commits: number): void => {
    const message: FromWorker = { type: 'answers', answers: `[${answers.join(',')}]`, commits }
    port.postMessage(message)
  }
  const loop = new BatchLoop({ connection, path, patienceMs, answer })
  const close = async (): Promise<void> => {
    await loop.idle()
    checkpoint(connection)
    database.close()
    port.close()
  }
  port.on('message', (message: ToWorker) => {
    if (message.type === 'run') loop.push(JSON.parse(message.commands) as SentCommand[], message.now)
    else void close()
  })
}

/** Moves what it can into the main file without waiting for anybody; what stays in the log is as safe there. */
function checkpoint(connection: Connection): void {
  try {
    connection.pragma('wal_checkpoint(PASSIVE)')
  } catch {
    // A full disk or a lost file: the log keeps everything.
  }
}
