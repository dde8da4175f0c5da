import assert from 'node:assert/strict';
import type { Photo } from '../../src/photos/photo.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { until } from '../harness/service/jobs.ts';
import { joinMember, type TestMember } from '../harness/people/member.ts';
import type { TestService } from '../harness/service/service.ts';
import { signInStaff, type FormClient } from '../harness/people/staff.ts';

export interface Photographer {
  member: TestMember;
  placeId: string;
}

/** A member, and a place to photograph. */
export async function addPhotographer(service: TestService, name = 'Ayu P.'): Promise<Photographer> {
  const placeId = await addMadeUpPlace(service.database.pool, service.clock);
  return { member: await joinMember(service, name), placeId };
}

export interface SentFile {
  name: string;
  bytes: Buffer;
}

/** Sends files as the page's form does; with a script, that is, and so with an answer in JSON. */
export async function sendFiles(
  service: TestService,
  { member, placeId }: Photographer,
  files: readonly SentFile[],
  options: { accept?: string; csrf?: string } = {},
): Promise<Response> {
  const csrf = options.csrf ?? (await member.token(`/photos/mine/upload?place=${placeId}`));
  const body = new FormData();
  body.append('csrf', csrf);
  body.append('place_id', placeId);
  for (const { name, bytes } of files) body.append('photos', new Blob([new Uint8Array(bytes)]), name);
  const cookie = [...member.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
  return service.request('/photos/mine/upload', {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: options.accept ?? 'application/json', ...(cookie !== '' && { cookie }) },
    body,
  });
}

/** Sends one photo and waits until the pipeline has done with it. */
export async function sendPhoto(
  service: TestService,
  photographer: Photographer,
  bytes: Buffer,
): Promise<Photo> {
  const response = await sendFiles(service, photographer, [{ name: 'photo.jpg', bytes }]);
  const { files } = (await response.json()) as { files: { photo_id?: string; refused?: string }[] };
  assert.equal(response.status, 201, JSON.stringify(files));
  const id = files[0]?.photo_id ?? '';
  return until('the pipeline', async () => {
    const [photo] = await service.database.pool<Photo[]>`select * from photo where id = ${id}`;
    return photo?.state === 'processing' ? undefined : photo;
  });
}

/** Who checks the photos of a service, signed in until its clock moves. */
const reviewers = new WeakMap<TestService, { at: number; reviewer: Promise<FormClient> }>();

function reviewerOf(service: TestService): Promise<FormClient> {
  const at = service.clock.now().getTime();
  const before = reviewers.get(service);
  if (before?.at === at) return before.reviewer;
  const reviewer = signInStaff(service, 'reviewer');
  reviewers.set(service, { at, reviewer });
  return reviewer;
}

/** A photo that a person has approved. */
export async function sendApproved(
  service: TestService,
  photographer: Photographer,
  bytes: Buffer,
): Promise<Photo> {
  const photo = await sendPhoto(service, photographer, bytes);
  assert.equal(photo.state, 'to_check');
  const reviewer = await reviewerOf(service);
  const path = `/console/photos/${photo.id}`;
  const approved = await reviewer.post(path, { decision: 'approved', seen: photo.updated_at.toISOString() });
  assert.equal(approved.status, 303, await approved.text());
  return photo;
}

export async function stateOf(service: TestService, photoId: string): Promise<string | undefined> {
  const [row] = await service.database.pool<
    { state: string }[]
  >`select state from photo where id = ${photoId}`;
  return row?.state;
}
