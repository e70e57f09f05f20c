import { Bot, type Context, type Middleware } from 'grammy'

/** A bot that knows whether anybody put a handler onto it: every way of grammY to do so leads through `use`. */
export class PluginBot extends Bot {
  #hasHandlers = false

  /** Without handlers nobody needs the context that grammY makes of each update. */
  get hasHandlers(): boolean {
    return this.#hasHandlers
  }

  override use(...middleware: Middleware<Context>[]): ReturnType<Bot['use']> {
    this.#hasHandlers = true
    return super.use(...middleware)
  }
}
