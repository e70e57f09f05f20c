/** A table as it should be. Columns after the first version need a default or must be nullable: they are added to older files. */
export interface TableSchema {
  readonly name: string
  /** Name to declaration. */
  readonly columns: { readonly [column: string]: string }
  readonly constraints?: readonly string[]
  readonly options?: string
}

/** Raised by every change that an older hermes could not work with. */
export const schemaVersion = 1

/** Marks a file as ours: `herm` in ASCII. */
export const applicationId = 0x6865726d

/** Every table. What is only stored and handed back is JSON text; what is asked for has a column. */
export const tables: readonly TableSchema[] = [
  {
    name: 'inbox',
    columns: {
      seq: 'INTEGER PRIMARY KEY AUTOINCREMENT',
      account: 'TEXT NOT NULL',
      event_id: 'TEXT NOT NULL',
      adapter: 'TEXT NOT NULL',
      event: 'TEXT NOT NULL',
      received_at: 'INTEGER NOT NULL',
      lane: 'TEXT',
      position: 'INTEGER',
      turn: 'TEXT',
      settled: 'TEXT',
    },
    constraints: ['UNIQUE (account, event_id)'],
  },
  {
    name: 'sessions',
    columns: {
      key: 'TEXT NOT NULL PRIMARY KEY',
      conversation: 'TEXT NOT NULL',
      chat: 'TEXT NOT NULL',
      generation: 'INTEGER NOT NULL DEFAULT 0',
      created_at: 'INTEGER NOT NULL',
      updated_at: 'INTEGER NOT NULL',
    },
    options: 'WITHOUT ROWID',
  },
  {
    name: 'lanes',
    columns: {
      conversation: 'TEXT NOT NULL PRIMARY KEY',
      session_key: 'TEXT',
      epoch: 'INTEGER NOT NULL DEFAULT 0',
      started_at: 'INTEGER NOT NULL',
      ended_at: 'INTEGER',
      end_reason: 'TEXT',
    },
    options: 'WITHOUT ROWID',
  },
  {
    name: 'snapshots',
    columns: { conversation: 'TEXT NOT NULL PRIMARY KEY', snapshot: 'TEXT NOT NULL' },
  },
  {
    name: 'messages',
    columns: { seq: 'INTEGER PRIMARY KEY', conversation: 'TEXT NOT NULL', message: 'TEXT NOT NULL' },
  },
  {
    name: 'states',
    columns: { conversation: 'TEXT NOT NULL', runtime: 'TEXT NOT NULL', state: 'TEXT NOT NULL' },
    constraints: ['PRIMARY KEY (conversation, runtime)'],
  },
  {
    name: 'turns',
    columns: {
      id: 'TEXT NOT NULL PRIMARY KEY',
      lane: 'TEXT NOT NULL',
      state: "TEXT NOT NULL DEFAULT 'open'",
      started_at: 'INTEGER NOT NULL',
      stop: 'TEXT',
      ended_at: 'INTEGER',
      outcome: 'TEXT',
    },
  },
  {
    name: 'intents',
    columns: { seq: 'INTEGER PRIMARY KEY', turn: 'TEXT NOT NULL', intent: 'TEXT NOT NULL' },
  },
  {
    name: 'questions',
    columns: { turn: 'TEXT NOT NULL', id: 'TEXT NOT NULL', question: 'TEXT NOT NULL', answer: 'TEXT' },
    constraints: ['PRIMARY KEY (turn, id)'],
    options: 'WITHOUT ROWID',
  },
  {
    name: 'outbox',
    columns: {
      id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
      key: 'TEXT NOT NULL UNIQUE',
      seq: 'INTEGER NOT NULL',
      place: 'INTEGER NOT NULL DEFAULT 0',
      adapter: 'TEXT NOT NULL',
      is_final: 'INTEGER NOT NULL DEFAULT 0',
      state: 'TEXT NOT NULL',
      chat: 'TEXT NOT NULL',
      turn: 'TEXT',
      lane: 'TEXT',
      message: 'TEXT NOT NULL',
      piece: 'TEXT NOT NULL',
      attempts: 'INTEGER NOT NULL DEFAULT 0',
      refusals: 'INTEGER NOT NULL DEFAULT 0',
      due_at: 'INTEGER NOT NULL',
      outcome: 'TEXT',
      created_at: 'INTEGER NOT NULL',
      updated_at: 'INTEGER NOT NULL',
    },
  },
  {
    name: 'pairing_requests',
    columns: {
      adapter: 'TEXT NOT NULL',
      user_id: 'TEXT NOT NULL',
      request: 'TEXT NOT NULL',
      requested_at: 'INTEGER NOT NULL',
      expires_at: 'INTEGER NOT NULL',
    },
    constraints: ['PRIMARY KEY (adapter, user_id)'],
    options: 'WITHOUT ROWID',
  },
  {
    name: 'paired',
    columns: { adapter: 'TEXT NOT NULL', user_id: 'TEXT NOT NULL', person: 'TEXT NOT NULL' },
    constraints: ['PRIMARY KEY (adapter, user_id)'],
    options: 'WITHOUT ROWID',
  },
  {
    name: 'pairing_guards',
    columns: { adapter: 'TEXT NOT NULL PRIMARY KEY', failures: 'INTEGER NOT NULL', locked_until: 'INTEGER' },
    options: 'WITHOUT ROWID',
  },
  {
    name: 'documents',
    columns: {
      version: 'INTEGER PRIMARY KEY AUTOINCREMENT',
      plugin: 'TEXT NOT NULL',
      collection: 'TEXT NOT NULL',
      key: 'TEXT NOT NULL',
      value: 'TEXT NOT NULL',
      expires_at: 'INTEGER',
    },
    constraints: ['UNIQUE (plugin, collection, key)'],
  },
  {
    name: 'accounts',
    columns: { platform: 'TEXT NOT NULL', account: 'TEXT NOT NULL', known_since: 'INTEGER NOT NULL' },
    constraints: ['PRIMARY KEY (platform, account)'],
    options: 'WITHOUT ROWID',
  },
  {
    name: 'applied_commands',
    columns: { number: 'INTEGER PRIMARY KEY', id: 'TEXT NOT NULL UNIQUE', result: 'TEXT', applied_at: 'INTEGER NOT NULL' },
  },
]

/** Every index, made after missing columns were added. Partial where only what is unfinished, or only what is final, is asked for. */
export const indexes: readonly string[] = [
  'CREATE INDEX IF NOT EXISTS inbox_unrouted ON inbox (seq) WHERE lane IS NULL AND settled IS NULL',
  'CREATE INDEX IF NOT EXISTS inbox_waiting ON inbox (lane, position) WHERE lane IS NOT NULL AND turn IS NULL AND settled IS NULL',
  'CREATE INDEX IF NOT EXISTS inbox_in_turn ON inbox (turn) WHERE turn IS NOT NULL AND settled IS NULL',
  'CREATE INDEX IF NOT EXISTS inbox_settled ON inbox (received_at) WHERE settled IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS messages_by_conversation ON messages (conversation)',
  "CREATE INDEX IF NOT EXISTS turns_open ON turns (lane) WHERE state = 'open'",
  'CREATE INDEX IF NOT EXISTS turns_ended ON turns (ended_at) WHERE ended_at IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS intents_by_turn ON intents (turn)',
  'CREATE INDEX IF NOT EXISTS outbox_open ON outbox (seq, place) WHERE is_final = 0',
  'CREATE INDEX IF NOT EXISTS outbox_final ON outbox (updated_at) WHERE is_final = 1',
  'CREATE INDEX IF NOT EXISTS documents_expiring ON documents (expires_at) WHERE expires_at IS NOT NULL',
]
