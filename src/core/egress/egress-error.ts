export type EgressErrorCode = 'blocked_address' | 'dns' | 'tls' | 'timeout' | 'refused' | 'too_large';

interface EgressErrorOptions {
  cause?: unknown;
  status?: number | undefined;
}

/** Why an outbound call gave no whole answer. The message is ours and safe to show; what the system said is the cause. */
export class EgressError extends Error {
  readonly code: EgressErrorCode;
  /** The status of an answer that began but did not end within its limits. */
  readonly status: number | undefined;
  /** What the operating system called it, such as ENOTFOUND or ECONNREFUSED. */
  readonly systemCode: string | undefined;

  constructor(code: EgressErrorCode, message: string, { cause, status }: EgressErrorOptions = {}) {
    super(message, { cause });
    this.name = 'EgressError';
    this.code = code;
    this.status = status;
    this.systemCode = systemCodeOf(cause);
  }
}

/** With several addresses there are several causes: a machine that refused says more than a network we cannot reach. */
function systemCodeOf(cause: unknown): string | undefined {
  if (cause instanceof AggregateError) {
    const codes = cause.errors.map(systemCodeOf);
    return codes.find((code) => code === 'ECONNREFUSED') ?? codes[0];
  }
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
