import { HermesError } from '@hermes/plugin-sdk'

declare module '@hermes/plugin-sdk' {
  interface HermesErrorDetails {
    'media.missing': { readonly ref: string }
  }
}

/** The error for a reference that leads nowhere. */
export function missingMedia(ref: string, cause?: unknown): HermesError<'media.missing'> {
  const message = `The media store holds nothing under ${JSON.stringify(ref)}: it was never put there, or it was removed.`
  return new HermesError('media.missing', message, { ref }, { cause })
}
