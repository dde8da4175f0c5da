export type EgressErrorCode = 'blocked_address' | 'dns' | 'tls' | 'timeout' | 'refused' | 'too_large';

interface EgressErrorOptions {
  cause?: unknown;
  status?: number | undefined;
}

/** Thrown when an outbound call got no complete answer. The message is safe to show; the cause is the system's. */
export class EgressError extends Error {
  readonly code: EgressErrorCode;
  /** Status of an answer that began but did not end within its limits. */
  readonly status: number | undefined;
  readonly systemCode: string | undefined;

  constructor(code: EgressErrorCode, message: string, { cause, status }: EgressErrorOptions = {}) {
    super(message, { cause });
    this.name = 'EgressError';
    this.code = code;
    this.status = status;
    this.systemCode = systemCodeOf(cause);
  }
}

/** Several addresses give several causes: a refused connection is more informative than an unreachable network. */
function systemCodeOf(cause: unknown): string | undefined {
  if (cause instanceof AggregateError) {
    const codes = cause.errors.map(systemCodeOf);
    return codes.find((code) => code === 'ECONNREFUSED') ?? codes[0];
  }
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
