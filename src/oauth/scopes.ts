/** What a client may be allowed to do. On the wire each carries the prefix of the installation: `svc.read`. */
export const SCOPES = ['read', 'write'] as const;

export type Scope = (typeof SCOPES)[number];

export function scopeNames(prefix: string, scopes: readonly Scope[] = SCOPES): string {
  return scopes.map((scope) => `${prefix}.${scope}`).join(' ');
}

/** The scopes that a text names; what is not ours is passed over. */
export function readScopes(prefix: string, text: string): Scope[] {
  const named = new Set(text.split(' '));
  return SCOPES.filter((scope) => named.has(`${prefix}.${scope}`));
}

/**
 * What a person is asked to allow. A client that names nothing asks for everything; whoever may write may also read,
 * so that a client which comes back for one more scope does not lose the other.
 */
export function askedScopes(prefix: string, text: string | null): readonly Scope[] {
  if (text === null || text.trim() === '') return SCOPES;
  const named = readScopes(prefix, text);
  return named.includes('write') ? SCOPES : named;
}
