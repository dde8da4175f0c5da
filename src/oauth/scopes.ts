import type { ProtectedResource } from '../accounts/keys/protected-resource.ts';
import type { Scope } from '../core/context.ts';

export const SCOPES: readonly Scope[] = ['read', 'write', 'partner.read', 'bookings'];

/** Scope names on the wire, which carry the prefix of the installation: `svc.read`. */
export function scopeNames(prefix: string, scopes: readonly Scope[]): string {
  return scopes.map((scope) => `${prefix}.${scope}`).join(' ');
}

export function readScopes(
  prefix: string,
  text: string,
  { scopes }: Pick<ProtectedResource, 'scopes'>,
): Scope[] {
  const requested = new Set(text.split(' '));
  return scopes.filter((scope) => requested.has(`${prefix}.${scope}`));
}

/** Scopes to ask a person for. A client that names none requests all; `write` includes `read`. */
export function requestedScopes(
  prefix: string,
  text: string | null,
  resource: ProtectedResource,
): readonly Scope[] {
  if (text === null || text.trim() === '') return resource.scopes;
  const requested = readScopes(prefix, text, resource);
  return requested.includes('write') ? resource.scopes : requested;
}

/** Resource of an authorization request: the named one, or by its scopes, or the agents' endpoint. */
export function resolveResource(
  prefix: string,
  resources: readonly ProtectedResource[],
  { resource, scope }: { resource: string | null; scope: string | null },
): ProtectedResource | undefined {
  if (resource !== null && resource !== '') return resources.find(({ url }) => url === resource);
  return resources.find((one) => readScopes(prefix, scope ?? '', one).length > 0) ?? resources[0];
}
