import { agentDirectory } from './agent-directory.ts';
import { agentListing } from './agent-listing.ts';
import { agentPhotos } from './agent-photos.ts';
import { conciergeAfter } from './concierge-after.ts';
import { conciergeAsk } from './concierge-ask.ts';
import { partnerPlace } from './partner-place.ts';
import { partnerSearch } from './partner-search.ts';
import type { MakeTask } from '../task.ts';

/** Every task, as an agent would get it. They were written from what the service promises, before the first run. */
export const allTasks: readonly MakeTask[] = [
  ...agentDirectory,
  ...agentListing,
  ...agentPhotos,
  ...partnerSearch,
  ...partnerPlace,
  ...conciergeAsk,
  ...conciergeAfter,
];
