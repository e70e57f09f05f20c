/** The connection was never made. */
const connectionCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])
const connectionCalls = new Set(['connect', 'getaddrinfo'])

/** TLS was not agreed on, so that no request could follow. A server may also begin or refuse TLS later: that is not meant. */
const handshakeCode =
  /^(?:ERR_TLS_(?!RENEGOTIAT|SESSION_ATTACK)|CERT_|CRL_|UNABLE_TO_|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$|PATH_LENGTH_EXCEEDED$)|^ERR_SSL_(?:WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|SSLV3_ALERT_HANDSHAKE_FAILURE|TLSV1_ALERT_PROTOCOL_VERSION)$/

/** Codes of sockets and of undici: the outermost error that bears one says what happened to the request. */
const wireCode = /^(?:E[A-Z]+|UND_ERR_[A-Z_]+)$/

/**
 * Is it certain that nothing left the process? True for a refused connection, an unknown host, a time-out while connecting and
 * a failed TLS handshake, also inside an SDK's error (`cause`, `original`, `error`); of several `errors` all must be so. False for everything
 * else: what may have left is never to be repeated blindly.
 */
export function neverSent(error: unknown): boolean {
  return isNeverSent(error, new Set())
}

function isNeverSent(error: unknown, seen: Set<object>): boolean {
  if (typeof error !== 'object' || error === null || seen.has(error)) return false
  seen.add(error)
  const { code, syscall, errors, cause, original, error: inner } = error as Record<string, unknown>
  if (Array.isArray(errors) && errors.length > 0) return errors.every((each) => isNeverSent(each, seen))
  if (typeof syscall === 'string' && connectionCalls.has(syscall)) return true
  if (typeof code === 'string') {
    if (connectionCodes.has(code) || handshakeCode.test(code)) return true
    if (wireCode.test(code)) return false
  }
  return [cause, original, inner].some((link) => isNeverSent(link, seen))
}
