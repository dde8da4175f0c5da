import type { ProtectedResource } from '../accounts/keys/protected-resource.ts';
import type { Scope } from '../core/context.ts';

/** Every scope of every endpoint. */
export const SCOPES: readonly Scope[] = ['read', 'write', 'partner.read', 'bookings'];

/** On the wire each scope carries the prefix of the installation: `svc.read`. */
export function scopeNames(prefix: string, scopes: readonly Scope[]): string {
  return scopes.map((scope) => `${prefix}.${scope}`).join(' ');
}

/** The scopes of a resource that a text names; what is not of it is passed over. */
export function readScopes(
  prefix: string,
  text: string,
  { scopes }: Pick<ProtectedResource, 'scopes'>,
): Scope[] {
  const named = new Set(text.split(' '));
  return scopes.filter((scope) => named.has(`${prefix}.${scope}`));
}

/**
 * What a person is asked to allow. A client that names nothing asks for everything; whoever may write may also read,
 * so that a client which comes back for one more scope does not lose the other.
 */
export function askedScopes(
  prefix: string,
  text: string | null,
  resource: ProtectedResource,
): readonly Scope[] {
  if (text === null || text.trim() === '') return resource.scopes;
  const named = readScopes(prefix, text, resource);
  return named.includes('write') ? resource.scopes : named;
}

/**
 * The resource that a request for authorization means. Several hosts name none: then the scopes tell, which they have
 * from the challenge of one endpoint, and without a scope it is the endpoint of agents.
 */
export function meantResource(
  prefix: string,
  resources: readonly ProtectedResource[],
  { resource, scope }: { resource: string | null; scope: string | null },
): ProtectedResource | undefined {
  if (resource !== null && resource !== '') return resources.find(({ url }) => url === resource);
  return resources.find((one) => readScopes(prefix, scope ?? '', one).length > 0) ?? resources[0];
}
