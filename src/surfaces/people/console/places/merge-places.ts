import { z } from 'zod';
import { formatNumber } from '../../../../core/text/format-count.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { mergePlaces } from '../../../../directory/place/merge-places.ts';
import { findPlace, type Place } from '../../../../directory/place/place.ts';
import { metresApart } from '../../../../import/match/metres-apart.ts';
import { findAnyPlace, type FoundPlace } from '../../../../search/find-any-place.ts';
import { hiddenInput, textInput } from '../../form/fields.ts';
import { rowLink, softText, userText } from '../../frame/components.ts';
import { form } from '../../frame/frame.ts';
import { recordTable, table } from '../../frame/table.ts';
import { defineAction, refuse } from '../../person/action.ts';
import type { Notice, PageRequest, View } from '../../person/page-request.ts';
import { reviewers } from '../../person/people.ts';
import { placeFactRows, placeFromUrl } from './place-record.ts';

const PLACE_ID = /^plc_[0-9a-hjkmnp-tv-z]{26}$/;
/** Maximum plausible distance between two records of the same place. */
const FAR_M = 500;
const CHOICES_MAX = 10;
/** Places found by name, of which the nearest are offered. */
const FOUND_MAX = 50;

/** Merges a duplicate into the place. Its first steps find the other record and show both side by side. */
export const mergeDuplicate = defineAction({
  name: 'merge_places',
  path: '/console/places/:id/merge',
  who: reviewers,
  title: 'Merge a duplicate',
  help: 'This record stays. You see both side by side before anything changes.',
  fields: {
    merged_id: textInput(z.string().trim().min(1, 'is missing').max(120), {
      label: 'The other record',
      hint: 'Its name, its name and its town, or its id.',
      maxlength: 120,
      required: true,
    }),
    /** Set by the page that shows both records. */
    sure: hiddenInput(z.string()),
  },
  button: 'Find it',
  plain: true,
  done: 'The two records are merged.',
  async prepare({ deps, form }): Promise<readonly FoundPlace[]> {
    const text = (form.get('merged_id') ?? '').trim();
    return /^plc_/i.test(text) ? [] : findAnyPlace(deps, text, FOUND_MAX);
  },
  async run(act, { merged_id: mergedId, sure }, similar) {
    const place = await placeFromUrl(act.db, act);
    if (!PLACE_ID.test(mergedId)) {
      const others = similar.filter(({ id, removed_at }) => id !== place.id && removed_at === null);
      if (others.length === 0) refuse({ faults: { merged_id: 'No other place is called that.' } });
      act.unchanged();
      return { view: (req) => choice(req, place, nearestFirst(place, others)) };
    }
    const other = await findPlace(act.db, mergedId);
    if (other === undefined || other.id === place.id || other.removed_at !== null)
      refuse({ faults: { merged_id: 'This must be the id of another place.' } });
    if (other.badge === 'claimed')
      refuse({
        faults: {
          merged_id:
            'That record is claimed by its venue and must be the one that remains: open it, and merge this one into it.',
        },
      });
    if (sure !== 'yes') {
      act.unchanged();
      return { view: (req) => comparison(req, place, other) };
    }
    const pair = { placeId: place.id, mergedId, staffId: act.person.id };
    const outcome = await mergePlaces(act.db, act.now, pair);
    if (outcome !== 'merged')
      refuse({ faults: { merged_id: 'The record has changed in the meantime. Nothing was merged.' } });
    act.audit(place.id, { merged_id: mergedId, merged_name: other.name, outcome });
  },
});

interface Candidate extends FoundPlace {
  /** Distance to the place that stays; null without both positions. */
  metres: number | null;
}

/** Sorts the places that were found by their distance, because a duplicate is near. */
function nearestFirst(place: Place, others: readonly FoundPlace[]): Candidate[] {
  return others
    .map((other) => ({ ...other, metres: metresBetween(place, other) }))
    .sort((a, b) => (a.metres ?? Infinity) - (b.metres ?? Infinity))
    .slice(0, CHOICES_MAX);
}

/** Lists the places that were found, each with a button that compares it. */
function choice(req: PageRequest, place: Place, others: readonly Candidate[]): View {
  return {
    title: 'Which one is the duplicate?',
    lead: html`<bdi>${place.name}</bdi> stays. The nearest record is first; nothing changes before you have
      compared the two.`,
    body: html`${recordTable('dense stack rows', others, [
        ['Place', ({ id, name }) => rowLink(`/console/places/${id}`, userText(name))],
        [
          'Where',
          ({ address, city, country }) =>
            html`<bdi>${[address, city].filter((part) => part !== null).join(', ')}</bdi> ${country}`,
        ],
        [
          { number: 'Distance' },
          ({ metres }) => (metres === null ? softText('unknown') : distanceText(metres)),
          'away',
        ],
        [
          { unseen: 'Compare' },
          ({ id, name }) =>
            form(
              req,
              `/console/places/${place.id}/merge`,
              html`<input type="hidden" name="merged_id" value="${id}" />
                <button class="button plain small" type="submit" aria-label="Compare: ${name}">
                  Compare
                </button>`,
            ),
          false,
          'row-forms',
        ],
      ])}
      <p><a href="${safeHref(`/console/places/${place.id}`)}">Back to the place</a></p>`,
  };
}

function comparison(req: PageRequest, remaining: Place, merged: Place): View {
  const mergedFacts = placeFactRows(merged);
  return {
    title: 'Merge two records',
    lead: html`<bdi>${remaining.name}</bdi> stays and receives the values it lacks, marked green.
      <bdi>${merged.name}</bdi> is deleted and cannot be restored.`,
    notice: farNotice(remaining, merged),
    body: html`<section class="card flow">
      ${table(
        {
          className: 'diff merge',
          columns: [
            'Field',
            html`Stays: <code>${remaining.id}</code>`,
            html`Goes: <code>${merged.id}</code>`,
          ],
        },
        placeFactRows(remaining).map(([label, value], index) =>
          row(label, value, mergedFacts[index]?.[1] ?? null),
        ),
      )}
      ${form(
        req,
        `/console/places/${remaining.id}/merge`,
        html`<input type="hidden" name="merged_id" value="${merged.id}" />
          <input type="hidden" name="sure" value="yes" />
          <button class="button danger" type="submit">Merge them</button>
          <a class="button plain" href="${safeHref(`/console/places/${remaining.id}`)}"
            >Leave them as they are</a
          >`,
        { className: 'row-forms' },
      )}
    </section>`,
  };
}

function farNotice(remaining: Place, merged: Place): Notice | undefined {
  const metres = metresBetween(remaining, merged);
  if (metres === null || metres <= FAR_M) return undefined;
  return {
    kind: 'bad',
    text: `These two are ${distanceText(metres)} apart. Are you sure that they are one place?`,
  };
}

function distanceText(metres: number): string {
  return metres < 10_000
    ? `${formatNumber(Math.round(metres))} m`
    : `${formatNumber(Math.round(metres / 1000))} km`;
}

type Position = Pick<FoundPlace, 'lat' | 'lng'>;

function metresBetween({ lat, lng }: Position, other: Position): number | null {
  return metresApart({ names: [], lat, lng }, { names: [], lat: other.lat, lng: other.lng });
}

/**
 * Marks only values that the remaining record would adopt: a colour must not suggest that the other record is better.
 */
function row(label: string, remaining: string | null, merged: string | null): Html | false {
  if (remaining === null && merged === null) return false;
  const placeholder = softText('nothing');
  return html`<tr class="${remaining === merged ? 'same' : remaining === null ? 'added' : 'differs'}">
    <th scope="row">${label}</th>
    <td data-label="Stays">${remaining === null ? placeholder : userText(remaining)}</td>
    <td data-label="Goes">${merged === null ? placeholder : userText(merged)}</td>
  </tr>`;
}
