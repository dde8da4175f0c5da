import { html, type Html } from '../../../core/text/html.ts';
import { usd } from '../../../core/text/money.ts';
import { isDropRunning, type Photo } from '../../../photos/photo.ts';
import type { SuggestedPrice } from '../../../photos/suggested-prices.ts';
import { priceAfter } from '../../../licensing/price.ts';
import { USES, type Use } from '../../../licensing/use.ts';
import { formatTime } from '../console/moment.ts';
import { badge, type StateBadges } from '../frame/components.ts';

/** Labels of the uses on the photographer's form. */
export const USE_LABELS: Readonly<Record<Use, { label: string; hint: string }>> = {
  social: { label: 'Social', hint: 'One post on accounts that the buyer controls.' },
  web: { label: 'Web', hint: 'One website or listing page, for as long as it runs.' },
  ad: { label: 'Advertising', hint: 'One paid campaign on any channel, up to 12 months.' },
  ai_training: { label: 'AI training', hint: 'Training data for models that the buyer operates.' },
};

/** States what others ask, and the price that follows from it. */
export function suggestionWords({
  low_cents: low,
  middle_cents: middle,
  high_cents: high,
  photos,
  nearby,
}: SuggestedPrice): string {
  const range = low === high ? usd(low) : `${usd(low)} to ${usd(high)}`;
  return `Others${nearby ? ' nearby' : ''} ask ${range}; suggested: ${usd(middle)} (${photos} photos).`;
}

const STATES: StateBadges<Photo['state']> = {
  processing: ['', 'Being prepared'],
  to_check: ['', 'Waiting for a check'],
  approved: ['sign', 'Approved'],
  live: ['', 'Drop ended'],
  ended: ['', 'Drop ended'],
  withdrawn: ['', 'Withdrawn'],
  refused: ['bad', 'Not usable'],
  rejected: ['bad', 'Rejected'],
};

/** Shows the state of a photo to its photographer. */
export function stateBadge(photo: Photo, now: Date): Html {
  if (isDropRunning(photo, now)) return badge('good', photo.sold >= photo.drop_cap ? 'Sold out' : 'Live');
  return badge(...STATES[photo.state]);
}

/** Summarizes the sales of the current or last drop. */
export function dropLine(photo: Photo, now: Date): Html | false {
  if (photo.ends_at === null) return false;
  const sold = `${photo.sold} of ${photo.drop_cap} sold`;
  return isDropRunning(photo, now)
    ? html`${sold}${priceLine(photo)}, ends ${formatTime(photo.ends_at)}`
    : html`${sold}, ended ${formatTime(photo.ends_at)}`;
}

/** Returns the current price of the cheapest use; empty when sold out. */
function priceLine(photo: Photo): string {
  if (photo.sold >= photo.drop_cap) return '';
  const bases = USES.map((use) => photo[`price_${use}`]).filter((price) => price !== null);
  return bases.length === 0 ? '' : `, now from ${usd(priceAfter(Math.min(...bases), photo.sold))}`;
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Formats 2026-09 as September 2026. */
export function formatMonth(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`));
}
