/** Parses a body as JSON; undefined when it is not JSON. */
export function parseJsonBody(body: Buffer | undefined): unknown {
  try {
    return JSON.parse(body?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}
