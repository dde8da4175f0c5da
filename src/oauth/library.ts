import type * as front from 'oidc-provider';

/**
 * The library's front door writes a warning to the console wherever Node carries no name of a long-term release, as ours
 * does not yet. These are the same things, each from its own file; the types know them by the front door only.
 */
async function inside(file: string): Promise<unknown> {
  return import(`oidc-provider/lib/${file}`);
}

export const { Provider } = (await inside('provider.js')) as Pick<typeof front, 'Provider'>;
export const errors = (await inside('helpers/errors.js')) as typeof front.errors;
export const { Check, Prompt } = (await inside(
  'helpers/interaction_policy/index.js',
)) as typeof front.interactionPolicy;
