import { HermesError, type Attachment, type OpenedAttachment } from '@hermes/plugin-sdk'
import type { Api } from 'grammy'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { ConnectionAgent } from './connection-agent.js'
import { toTrouble } from './failures.js'
import { toGrammySignal } from './grammy-signal.js'
import { downloadLimitBytes } from './inbound-media.js'
import { asInteger, asObject, asString } from './json-reading.js'

/** Where files are fetched from. */
export interface DownloadParts {
  readonly api: Api
  readonly agent: ConnectionAgent
  readonly apiRoot: string
  readonly token: string
}

/** Fetches a file, up to 20 MB. What it throws holds neither the URL nor the token. */
export async function openFile({ ref }: Attachment, parts: DownloadParts, signal: AbortSignal): Promise<OpenedAttachment> {
  const path = await findPath(asString(ref['fileId']) ?? '', parts.api, signal)
  const response = await get(path, parts, signal)
  const size = asInteger(Number(response.headers['content-length']))
  return { body: bounded(response), ...(size !== undefined && { size }) }
}

async function findPath(fileId: string, api: Api, signal: AbortSignal): Promise<string> {
  let file: unknown
  try {
    file = await api.getFile(fileId, toGrammySignal(signal))
  } catch (error) {
    const { detail } = toTrouble(error)
    throw failed(/file is too big/i.test(detail) ? tooLarge : detail)
  }
  const path = asString(asObject(file)?.['file_path'])
  if (!path) throw failed('Telegram does not say where the file is')
  return path
}

function get(path: string, { apiRoot, agent, token }: DownloadParts, signal: AbortSignal): Promise<IncomingMessage> {
  const url = `${apiRoot}/file/bot${token}/${path.split('/').map(encodeURIComponent).join('/')}`
  const request = apiRoot.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, signal }, (response) => {
      if (response.statusCode === 200) return resolve(response)
      response.destroy()
      return reject(failed(`Telegram answered ${response.statusCode ?? 'nothing'} to the download`))
    })
    call.on('error', (error: NodeJS.ErrnoException) => reject(failed(`the download failed (${error.code ?? error.name})`))).end()
  })
}

async function* bounded(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.byteLength
      if (size > downloadLimitBytes) throw failed(tooLarge)
      yield chunk
    }
  } catch (error) {
    throw HermesError.is(error) ? error : failed('the download was cut off')
  } finally {
    response.destroy()
  }
}

const tooLarge = `it is too large: bots can fetch ${downloadLimitBytes / 1024 / 1024} MB`

function failed(why: string): HermesError<'attachment.failed'> {
  return new HermesError('attachment.failed', why, { why })
}
