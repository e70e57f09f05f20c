import type { Database, Options, Statement } from 'better-sqlite3'

/** The driver's class: its package is loaded only when a store is opened. */
export type Driver = new (path: string, options: Options) => Database

type Value = string | number | null

/** `FULL`: a commit is on disk when it returns. `NORMAL`: it survives the process, not a power cut. */
export type Durability = 'FULL' | 'NORMAL'

/** An open database with its prepared statements. Each SQL text is prepared once. */
export class Connection {
  readonly #database: Database
  readonly #statements = new Map<string, Statement>()
  #synchronous: Durability | undefined

  constructor(database: Database) {
    this.#database = database
  }

  get isInTransaction(): boolean {
    return this.#database.inTransaction
  }

  /** Runs a statement; answers how many rows it changed and the id of the row that it inserted last. */
  run(sql: string, values: readonly Value[] = []): { readonly changes: number; readonly insertedId: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(values)
    return { changes, insertedId: Number(lastInsertRowid) }
  }

  row<Row>(sql: string, values: readonly Value[] = []): Row | undefined {
    return this.#prepare(sql).get(values) as Row | undefined
  }

  rows<Row>(sql: string, values: readonly Value[] = []): Row[] {
    return this.#prepare(sql).all(values) as Row[]
  }

  /** The texts of one column: cheaper than a row object for each. */
  texts(sql: string, values: readonly Value[] = []): string[] {
    return this.#prepare(sql).pluck().all(values) as string[]
  }

  /** Runs SQL that is needed once. */
  exec(sql: string): void {
    this.#database.exec(sql)
  }

  /** Reads or sets a pragma; answers its first value. */
  pragma(source: string): unknown {
    return this.#database.pragma(source, { simple: true })
  }

  /** How durable the next commits are. Not within a transaction. */
  setSynchronous(durability: Durability): void {
    if (durability === this.#synchronous) return
    this.pragma(`synchronous = ${durability}`)
    this.#synchronous = durability
  }

  close(): void {
    this.#database.close()
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
