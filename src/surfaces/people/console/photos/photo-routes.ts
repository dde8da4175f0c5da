import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import type { Db } from '../../../../core/postgres/db.ts';
import {
  checkPhoto,
  isCheckReason,
  takeDownPhoto,
  type CheckOutcome,
  type CheckReason,
  type CheckRequest,
} from '../../../../photos/check-photo.ts';
import { listPayables } from '../../../../photos/earnings.ts';
import { findCheckedPhoto, listPhotosToCheck, type CheckedPhoto } from '../../../../photos/list-photos.ts';
import { licensedFileOf, previewFileOf } from '../../../../photos/photo-storage.ts';
import { PHOTO_ID } from '../../../../photos/photo.ts';
import { sendWholeFile } from '../../../../photos/send-stored-file.ts';
import { conflict, refuse, type Action } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { ALL_ROLES, LEAD_ROLES, REVIEWER_ROLES, staff, type Staff } from '../../person/people.ts';
import { addAction, addPage } from '../../person/person-route.ts';
import { sendCheckPage } from './check-page.ts';
import { sendPhotoQueuePage } from './waiting-page.ts';

const PATH = '/console/photos/:id';

/** Adds the pages on which staff check photos before they are published. */
export function addPhotoChecks(scope: FastifyInstance, deps: Deps): void {
  const get = (path: string, show: (req: PageRequest<Staff>) => Promise<FastifyReply>, roles = ALL_ROLES) => {
    addPage(scope, deps, { path, who: staff(roles), show });
  };
  get('/console/photos', sendPhotoQueuePage);
  get(PATH, (req) => showPhoto(req, {}));
  get(`${PATH}/w480`, (req) => sendFile(req, (id) => previewFileOf(id, 480)));
  get(`${PATH}/w1080`, (req) => sendFile(req, (id) => previewFileOf(id, 1080)));
  get(`${PATH}/full`, (req) => sendFile(req, licensedFileOf));
  get('/console/photos/payouts.csv', sendPayouts, LEAD_ROLES);
  addAction(scope, deps, decide);
}

async function photoOf(db: Db, { params: { id = '' } }: Pick<PageRequest, 'params'>): Promise<CheckedPhoto> {
  const photo = PHOTO_ID.test(id) ? await findCheckedPhoto(db, id) : undefined;
  if (photo === undefined) throw notFound();
  return photo;
}

function notFound(): AppError {
  return new AppError('photo_not_found', 'There is no photo with this id.');
}

async function showPhoto(req: PageRequest<Staff>, state: PageState): Promise<FastifyReply> {
  return sendCheckPage(req, await photoOf(req.deps.pool, req), state);
}

/** Sends an unpublished photo to staff. The route's `no-store` header is kept, so that no cache stores the file. */
async function sendFile(req: PageRequest, keyOf: (id: string) => string): Promise<FastifyReply> {
  const { id } = await photoOf(req.deps.pool, req);
  return sendWholeFile(req.request, req.reply, {
    storage: req.deps.photoStorage,
    key: keyOf(id),
    etag: `"${id}"`,
    headers: { 'content-type': 'image/jpeg', 'content-security-policy': "default-src 'none'; sandbox" },
  });
}

const decide: Action<Staff> = {
  name: 'check_photo',
  path: PATH,
  who: staff(REVIEWER_ROLES),
  async run(act) {
    const { id } = await photoOf(act.db, act);
    const decision = act.form.get('decision');
    if (decision === 'take_down') {
      if (!(await takeDownPhoto(act.db, act.now, id)))
        conflict('The photo is no longer shown. Nothing was changed.');
      act.audit(id, {}, 'take_down_photo');
      return { to: `/console/photos/${id}` };
    }
    if (decision !== 'approved' && decision !== 'rejected') refuseChoice('Choose what to do.');
    const reason = decision === 'rejected' ? reasonOf(act.form) : undefined;
    const seenVersion = act.form.get('seen') ?? '';
    const check: CheckRequest = { photoId: id, staffId: act.person.id, decision, reason, seen: seenVersion };
    const outcome = await checkPhoto(act.db, act, check);
    if (outcome !== 'decided') refuseLate(outcome);
    act.audit(id, { decision, reason: reason ?? null });
    return { to: await nextPath(act.db, `done=${decision}&id=${id}`) };
  },
  page: showPhoto,
};

function reasonOf(form: URLSearchParams): CheckReason {
  const reason = form.get('reason') ?? '';
  return isCheckReason(reason) ? reason : refuseChoice('Choose the reason: the photographer is sent it.');
}

function refuseLate(outcome: Exclude<CheckOutcome, 'decided'>): never {
  switch (outcome) {
    case 'not_found':
      throw notFound();
    case 'already':
      return conflict('Somebody else has already decided about this photo. Your decision was not recorded.');
    case 'changed':
      return conflict(
        'The photographer has changed the caption in the meantime. It is shown here; your decision was not recorded.',
      );
  }
}

function refuseChoice(text: string): never {
  refuse({ status: 422, notice: { kind: 'bad', text } });
}

/** Returns the path of the next photo in the queue, so that a person can check one after the other. */
async function nextPath(db: Db, done: string): Promise<string> {
  const [next] = (await listPhotosToCheck(db, 1)).photos;
  return `/console/photos${next === undefined ? '' : `/${next.id}`}?${done}`;
}

/** Sends a CSV of the amounts owed to photographers, for the person who makes the payments. */
async function sendPayouts({ deps, reply }: PageRequest): Promise<FastifyReply> {
  const rows = await listPayables(deps.pool);
  const lines = rows.map(({ member_id, display_name, email, payable_cents }) =>
    [member_id, csvText(display_name ?? ''), csvText(email ?? ''), payable_cents, 'USD'].join(','),
  );
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="photo-payouts.csv"')
    .send(['member_id,name,email,payable_cents,currency', ...lines, ''].join('\r\n'));
}

/** Quotes a CSV field and prevents spreadsheet programs from reading it as a formula. */
function csvText(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
