import type * as front from 'oidc-provider';
import { assertPackageVersion } from '../core/package-version.ts';

// This file is the only one that uses internals of the library.
assertPackageVersion('oidc-provider', '9.13.3', import.meta.url);

/** The main entry point warns when Node is not an LTS release. These are the same exports, one file each. */
async function importInternal(file: string): Promise<unknown> {
  return import(`oidc-provider/lib/${file}`);
}

export const { Provider } = (await importInternal('provider.js')) as Pick<typeof front, 'Provider'>;
export const errors = (await importInternal('helpers/errors.js')) as typeof front.errors;
export const { Check, Prompt } = (await importInternal(
  'helpers/interaction_policy/index.js',
)) as typeof front.interactionPolicy;

interface ModelInstance {
  resource?: string | string[];
}

/** Wraps a method of the library's models that is not part of its public API. */
export function wrapModelMethod<Result>(
  model: { prototype: object },
  name: 'generateTokenId' | 'consume',
  wrap: (model: ModelInstance, original: () => Result) => Result,
): void {
  const original: unknown = Reflect.get(model.prototype, name);
  if (typeof original !== 'function') throw new Error(`The models of oidc-provider have no method ${name}.`);
  Object.defineProperty(model.prototype, name, {
    value(this: ModelInstance) {
      return wrap(this, () => original.call(this) as Result);
    },
  });
}

/** Shows an error on our own page instead of redirecting to the client. The library reads this flag from the error. */
export function showWithoutRedirect(error: Error): void {
  Object.assign(error, { allow_redirect: false });
}
