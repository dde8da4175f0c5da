import type { Deps } from '../../../core/context.ts';
import { messagePage } from '../frame/message-page.ts';
import { siteOf } from '../frame/site.ts';

/** Renders the error page for an authorization request that cannot be handled. */
export function errorPage(
  deps: Deps,
  status: number,
  { error, error_description }: { error: string; error_description?: string | undefined },
): string {
  const ours = status >= 500;
  return messagePage({
    site: siteOf(deps),
    status,
    title: ours ? 'Something went wrong on our side' : 'The client cannot be connected',
    what: ours
      ? 'The request of the client could not be handled.'
      : `The client sent a request that we cannot accept: ${error_description ?? error} (${error}).`,
    meaning: 'Nothing was connected, and nothing was sent to the client.',
    next: ours
      ? 'Go back to the client and try again in a moment.'
      : 'Go back to the client and connect again from there. If it happens again, the maker of the client has to fix it.',
  });
}
