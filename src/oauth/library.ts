import type * as front from 'oidc-provider';

/**
 * The library's main entry point logs a warning when Node is not an LTS release, as ours is not yet. These are the same
 * exports, each from its own file; types exist for the main entry point only.
 */
async function importInternal(file: string): Promise<unknown> {
  return import(`oidc-provider/lib/${file}`);
}

export const { Provider } = (await importInternal('provider.js')) as Pick<typeof front, 'Provider'>;
export const errors = (await importInternal('helpers/errors.js')) as typeof front.errors;
export const { Check, Prompt } = (await importInternal(
  'helpers/interaction_policy/index.js',
)) as typeof front.interactionPolicy;
