// The library's front door writes a warning to the console wherever Node carries no name of a long-term release, as ours
// does not yet. These are the same things, each from its own file.

declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider';
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  import { errors } from 'oidc-provider';

  export import InvalidGrant = errors.InvalidGrant;
  export import InvalidScope = errors.InvalidScope;
  export import InvalidTarget = errors.InvalidTarget;
  export import SessionNotFound = errors.SessionNotFound;
}

declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import { interactionPolicy } from 'oidc-provider';

  export import Check = interactionPolicy.Check;
  export import Prompt = interactionPolicy.Prompt;
}
