import type { FastifyReply } from 'fastify';
import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { usd } from '../../../core/text/money.ts';
import { priceAfter } from '../../../licensing/price.ts';
import { USES, type Use } from '../../../licensing/use.ts';
import { CHECK_REASONS, isCheckReason } from '../../../photos/check-photo.ts';
import { findCheckedPhoto, findMemberPhoto, type ListedPhoto } from '../../../photos/list-photos.ts';
import {
  CAPTION_MAX,
  DROP_CAP_MAX,
  isDropRunning,
  mayMovePhoto,
  PRICE_MAX_CENTS,
} from '../../../photos/photo.ts';
import { refusalText } from '../../../photos/pipeline/refusal.ts';
import type { Db } from '../../../core/postgres/db.ts';
import type { Member } from '../../../members/member.ts';
import { moneyField, textField } from '../form/form-field.ts';
import { form, sendFrame } from '../frame/frame.ts';
import { table } from '../frame/table.ts';
import { doneNotice, type PageRequest, type PageState } from '../person/page-request.ts';
import { dropLine, formatMonth, stateBadge, USE_LABELS } from './photo-words.ts';
import { thumbnail } from './mine-page.ts';

/** Sends the page of one photo: its state, its prices and its drop. */
export async function sendOfferPage(req: PageRequest<Member>, state: PageState = {}): Promise<FastifyReply> {
  const { deps, now, query } = req;
  const photo = await ownPhoto(deps.pool, req);
  return sendFrame(req, 'photographer', {
    title: photo.place?.name ?? 'Photo',
    lead: html`${stateBadge(photo, now)} ${photo.month !== null && `Taken in ${formatMonth(photo.month)}.`}
    ${photo.ends_at !== null && html`${dropLine(photo, now)}.`}`,
    current: '/photos/mine',
    notice: state.notice ?? doneNotice(query, DONE),
    body: html`<div class="offer">
      <figure class="card">
        ${thumbnail(photo)}
        <figcaption>
          ${photo.caption !== '' && html`<span dir="auto">${photo.caption}</span>`}
          ${
            photo.width !== null &&
            html`<span class="soft">${photo.width} × ${photo.height} pixels in full size</span>`
          }
        </figcaption>
      </figure>
      <div class="flow">${await sections(req, photo, state)}</div>
    </div>`,
  });
}

/** Returns the photo named by the URL if it belongs to this member. */
export async function ownPhoto(
  db: Db,
  { person, params }: Pick<PageRequest<Member>, 'person' | 'params'>,
): Promise<ListedPhoto> {
  const photo = await findMemberPhoto(db, person.id, params['id'] ?? '');
  if (photo === undefined) throw new AppError('photo_not_found', 'You have no photo with this id.');
  return photo;
}

const DONE: Readonly<Record<string, string>> = {
  offer: 'Prices and drop size are saved.',
  caption: 'The caption is saved.',
  live: 'The drop is running. Agents can license the photo for the next three days.',
};

async function sections(req: PageRequest, photo: ListedPhoto, pageState: PageState): Promise<Html> {
  const { state } = photo;
  const running = isDropRunning(photo, req.now);
  if (state === 'refused')
    return html`<section class="card"><p>${refusalText(photo.refusal ?? '')}</p></section>`;
  if (state === 'rejected') return rejectedSection(req, photo);
  if (state === 'withdrawn')
    return html`<section class="card">
      <p>You withdrew this photo. It is no longer shown or sold.</p>
    </section>`;
  const beingChecked = state === 'processing' || state === 'to_check';
  return html`${!beingChecked && !running && liveSection(req, photo)}
  ${running ? runningSection(photo) : offerSection(req, photo, pageState)}
  ${beingChecked && captionSection(req, photo, pageState)} ${withdrawSection(req, photo)}`;
}

async function rejectedSection({ deps }: PageRequest, { id }: ListedPhoto): Promise<Html> {
  const reason = (await findCheckedPhoto(deps.pool, id))?.check?.reason ?? '';
  return html`<section class="card flow">
    <h2>It cannot be used</h2>
    <p>${isCheckReason(reason) && CHECK_REASONS[reason].told}</p>
  </section>`;
}

function liveSection(req: PageRequest, photo: ListedPhoto): Html {
  const priced = USES.some((use) => photo[`price_${use}`] !== null);
  return html`<section class="card flow">
    <h2>${photo.drop_number === 0 ? 'Go live' : 'Another drop'}</h2>
    <p>
      For three days agents can buy up to ${photo.drop_cap} licences. The price of every use rises by 10%
      after each. Prices cannot change while the drop runs.
    </p>
    ${
      priced
        ? form(
            req,
            `/photos/mine/${photo.id}/live`,
            html`<button class="button" type="submit">Go live</button>`,
            { className: 'go' },
          )
        : html`<p class="soft">Set a price for at least one use first.</p>`
    }
  </section>`;
}

function runningSection({ sold, drop_cap, ...photo }: ListedPhoto): Html {
  const soldOut = sold >= drop_cap;
  const prices = USES.flatMap((use) => {
    const base = photo[`price_${use}`];
    return base === null ? [] : [{ use, base }];
  });
  return html`<section class="card flow">
    <h2>This drop</h2>
    <p>
      ${sold} of ${drop_cap} licences are sold. After each one every price rises by 10%; you cannot change
      them before it ends.
    </p>
    ${table(
      {
        className: 'stack',
        columns: [
          'Use',
          { number: soldOut ? 'Last price' : 'Price now' },
          { number: 'First price' },
          { number: 'After one more' },
        ],
      },
      prices.map(
        ({ use, base }) =>
          html`<tr>
            <th scope="row">${USE_LABELS[use].label}</th>
            <td class="number" data-label="${soldOut ? 'last' : 'now'}">
              <strong>${usd(priceAfter(base, soldOut ? drop_cap - 1 : sold))}</strong>
            </td>
            <td class="number" data-label="at first">${usd(base)}</td>
            <td class="number" data-label="after one more">
              ${sold + 1 >= drop_cap ? '–' : usd(priceAfter(base, sold + 1))}
            </td>
          </tr>`,
      ),
    )}
  </section>`;
}

function offerSection(req: PageRequest, photo: ListedPhoto, state: PageState): Html {
  const { faults = {} } = state;
  const submitted = submittedTo('offer_photo', state);
  const priceField = (use: Use, { label, hint } = USE_LABELS[use]) => {
    const name = `price_${use}` as const;
    const value = submitted?.get(name) ?? undefined;
    return moneyField({ name, label, hint, value, cents: photo[name], fault: faults[name] });
  };
  const training = USE_LABELS.ai_training;
  const aiOn =
    submitted === undefined ? photo.price_ai_training !== null : submitted.get('ai_training') === 'on';
  const fields = html`${(['social', 'web', 'ad'] as const).map((use) => priceField(use))}
    <div class="choice">
      <input type="checkbox" id="ai_training" name="ai_training" value="on" ${aiOn && html` checked`} />
      <label for="ai_training">Also offer it for AI training</label>
    </div>
    ${priceField('ai_training', {
      label: training.label,
      hint: `${training.hint} Applies only if the option above is on.`,
    })}
    ${textField({
      name: 'drop_cap',
      label: 'Licences in a drop',
      hint: `1 to ${DROP_CAP_MAX}.`,
      inputmode: 'numeric',
      maxlength: 3,
      value: submitted?.get('drop_cap') ?? String(photo.drop_cap),
      fault: faults['drop_cap'],
    })}
    <p class="actions"><button class="button plain" type="submit">Save prices</button></p>`;
  return html`<section class="card flow">
    <h2>Prices</h2>
    <p class="hint">
      In US dollars for one licence, such as 5.00, up to ${usd(PRICE_MAX_CENTS)}. Leave a use empty if you do
      not offer it.
    </p>
    ${form(req, `/photos/mine/${photo.id}/offer`, fields)}
  </section>`;
}

function captionSection(req: PageRequest, photo: ListedPhoto, state: PageState): Html {
  const fields = html`${textField({
      name: 'caption',
      label: 'Caption',
      hint: 'One line about what it shows. It is checked with the photo and cannot change after that.',
      maxlength: CAPTION_MAX,
      value: submittedTo('caption_photo', state)?.get('caption') ?? photo.caption,
      fault: state.faults?.['caption'],
    })}
    <p class="actions"><button class="button plain" type="submit">Save caption</button></p>`;
  return html`<section class="card">${form(req, `/photos/mine/${photo.id}/caption`, fields)}</section>`;
}

/** Returns the submitted values if this action's form was submitted. */
function submittedTo(action: string, state: PageState): URLSearchParams | undefined {
  return state.action === action ? state.form : undefined;
}

function withdrawSection(req: PageRequest, photo: ListedPhoto): Html | false {
  if (!mayMovePhoto(photo.state, 'withdrawn', 'photographer')) return false;
  return html`<details class="card">
    <summary>Withdraw this photo</summary>
    ${form(
      req,
      `/photos/mine/${photo.id}/withdraw`,
      html`<p>
          It is no longer shown or sold, and this cannot be undone. Licences that were sold stay valid.
        </p>
        <p class="actions"><button class="button danger" type="submit">Withdraw the photo</button></p>`,
    )}
  </details>`;
}
