/** Thrown when the service cannot listen on the configured address. The message states what to set. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Explains the error in one sentence for the operator; undefined when it is unknown. */
export function explainListening(thrown: unknown, host: string, port: number): string | undefined {
  const { code } = (thrown ?? {}) as { code?: string };
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program. Set PORT to a free one.`;
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all of them.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Set PORT to 1024 or above.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name ${host} cannot be resolved. Set HOST to an address of this machine.`;
    default:
      return undefined;
  }
}
