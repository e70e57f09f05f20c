/** What a platform's own command menu takes. */
export interface CommandMenu {
  /** Commands that it shows at most. Those of the house come first and are always inside. */
  readonly limit: number
  /** Descriptions of plugins' commands are cut to so many UTF-16 units. */
  readonly descriptionLimit: number
  /** Can people add something to a command that they pick? Without it, those that need something are left out. Default true. */
  readonly takesArguments?: boolean | undefined
}

/** A command as a platform's menu shows it. */
export interface CommandSpec {
  /** 1 to 32 characters of `a-z 0-9 _`. The core knows it when it is typed, also where the command's own name has a hyphen. */
  readonly name: string
  readonly description: string
  /** `<x>`: required, `[x]`: optional. */
  readonly argumentHint?: string | undefined
}
