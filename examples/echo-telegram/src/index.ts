import { telegram } from '@hermes/adapter-telegram'
import { createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { echo } from './echo.js'

const { TELEGRAM_BOT_TOKEN: token = '', TELEGRAM_API_ROOT: apiRoot } = process.env
const gateway = createGateway({ agent: echo, store: sqliteStore('./echo.db'), plugins: [telegram({ token, apiRoot, allowAll: true })] })

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void gateway.stop())
await gateway.start()
