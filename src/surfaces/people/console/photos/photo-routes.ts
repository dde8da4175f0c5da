import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { checkPhoto, isCheckReason, takeDownPhoto } from '../../../../photos/check-photo.ts';
import { listPayables } from '../../../../photos/earnings.ts';
import { findCheckedPhoto, listPhotosToCheck, type CheckedPhoto } from '../../../../photos/list-photos.ts';
import { licensedFileOf, previewFileOf } from '../../../../photos/photo-storage.ts';
import { PHOTO_ID } from '../../../../photos/photo.ts';
import { sendWholeFile } from '../../../../photos/send-stored-file.ts';
import { consoleRoute, EVERYONE, LEADS, REVIEWERS, type PageRequest } from '../console-route.ts';
import { sendCheckPage, type Refused } from './check-page.ts';
import { sendWaitingPage } from './waiting-page.ts';

/** Where people look at photos before anybody else does. */
export function addPhotoChecks(scope: FastifyInstance, deps: Deps): void {
  const get = (path: string, handle: (visit: PageRequest) => Promise<FastifyReply>) => {
    consoleRoute(scope, deps, { method: 'GET', path, roles: EVERYONE, handle });
  };
  get('/console/photos', sendWaitingPage);
  get('/console/photos/:id', (visit) => showPhoto(visit));
  get('/console/photos/:id/w480', (visit) => sendFile(visit, (id) => previewFileOf(id, 480)));
  get('/console/photos/:id/w1080', (visit) => sendFile(visit, (id) => previewFileOf(id, 1080)));
  get('/console/photos/:id/full', (visit) => sendFile(visit, licensedFileOf));
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/photos/payouts.csv',
    roles: LEADS,
    handle: sendPayouts,
  });
  consoleRoute(scope, deps, {
    method: 'POST',
    path: '/console/photos/:id',
    roles: REVIEWERS,
    handle: decide,
  });
}

async function knownPhoto({ deps, request }: PageRequest): Promise<CheckedPhoto> {
  const { id } = request.params as { id: string };
  const photo = PHOTO_ID.test(id) ? await findCheckedPhoto(deps.pool, id) : undefined;
  if (photo === undefined) throw new AppError('photo_not_found', 'There is no photo of this id.');
  return photo;
}

async function showPhoto(visit: PageRequest, refused?: Refused): Promise<FastifyReply> {
  return sendCheckPage(visit, await knownPhoto(visit), refused);
}

/** Staff see what nobody else may see yet, so nothing on the way may keep it. */
async function sendFile(visit: PageRequest, keyOf: (id: string) => string): Promise<FastifyReply> {
  const { id } = await knownPhoto(visit);
  return sendWholeFile(visit.request, visit.reply, {
    storage: visit.deps.photoStorage,
    key: keyOf(id),
    etag: `"${id}"`,
    headers: { 'content-type': 'image/jpeg', 'content-security-policy': "default-src 'none'; sandbox" },
  });
}

async function decide(visit: PageRequest): Promise<FastifyReply> {
  const { deps, form, staff, request, reply } = visit;
  const photo = await knownPhoto(visit);
  const decision = form.get('decision') ?? '';
  const by = { photoId: photo.id, staffId: staff.id, requestId: request.id };
  if (decision === 'take_down') {
    if (await takeDownPhoto(deps, by)) return reply.redirect(`/console/photos/${photo.id}`, 303);
    return refuse(visit, 409, 'The photo is not shown any more. Nothing was changed.');
  }
  const reason = form.get('reason') ?? '';
  if (decision !== 'approved' && decision !== 'rejected') return refuse(visit, 422, 'Choose what to do.');
  if (decision === 'rejected' && !isCheckReason(reason))
    return refuse(visit, 422, 'Choose the reason: the photographer is told.');
  const outcome = await checkPhoto(deps, {
    ...by,
    decision,
    seen: form.get('seen') ?? '',
    ...(decision === 'rejected' && isCheckReason(reason) && { reason }),
  });
  switch (outcome) {
    case 'decided':
      return sendOn(visit, `done=${decision}&id=${photo.id}`);
    case 'not_found':
      throw new AppError('photo_not_found', 'There is no photo of this id.');
    case 'already':
      return refuse(
        visit,
        409,
        'Somebody has decided about this photo meanwhile. Your decision was not recorded.',
      );
    case 'changed':
      return refuse(
        visit,
        409,
        'The photographer has changed the caption meanwhile. It is shown here; your decision was not recorded.',
      );
  }
}

/** To the next photo that waits, so that a person can do them all without looking for it. */
async function sendOn({ deps, reply }: PageRequest, told: string): Promise<FastifyReply> {
  const [next] = (await listPhotosToCheck(deps.pool, 1)).photos;
  return reply.redirect(`/console/photos${next === undefined ? '' : `/${next.id}`}?${told}`, 303);
}

function refuse(visit: PageRequest, status: number, text: string): Promise<FastifyReply> {
  return showPhoto({ ...visit, reply: visit.reply.code(status) }, { notice: { kind: 'bad', text } });
}

/** What is owed to whom, for whoever makes the payments. */
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

/** Quoted, and never read as a formula by the program that opens it. */
function csvText(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
