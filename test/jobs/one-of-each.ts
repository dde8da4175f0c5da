import { queueCallback } from '../../src/callbacks/queue-callback.ts';
import { addJob } from '../../src/jobs/add-job.ts';
import { AskingPartner, addVenue } from '../bookings/asking-partner.ts';
import { connectVenue } from '../bookings/booking-server/connect-venue.ts';
import { startVenueServer, type VenueServer } from '../bookings/booking-server/venue-server.ts';
import { startReceiver, type Receiver } from '../callbacks/receiver.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { joinMember } from '../harness/people/member.ts';
import { until } from '../harness/service/jobs.ts';
import { signUpAgent, type TestService } from '../harness/service/service.ts';
import { postMail } from '../messages/held-mail.ts';
import { startSmtp, type SmtpReceiver } from '../messages/smtp-receiver.ts';
import { startPhoneProvider, type PhoneProvider } from '../twilio/phone-provider.ts';
import { WebhookPartner } from '../webhooks/webhook-partner.ts';

export interface Counterparts {
  smtp: SmtpReceiver;
  provider: PhoneProvider;
  receiver: Receiver;
  venue: VenueServer;
  /** With these a service reaches all of them. */
  settings: Record<string, string>;
}

/** Everybody outside for whom there are jobs. */
export async function startCounterparts(): Promise<Counterparts> {
  const [smtp, provider] = [await startSmtp(), await startPhoneProvider()];
  const [receiver, venue] = [await startReceiver(), await startVenueServer()];
  const settings = {
    ...provider.settings,
    EGRESS_ALLOW: [provider.settings['EGRESS_ALLOW'], receiver.pair, venue.pair].join(),
    SMTP_URL: smtp.url,
    MAIL_FROM: 'desk@waypost.example',
    DESK_PHONE: '+62361999999',
    JOBS_AT_ONCE: '1',
    VENUE_WAKING_HOURS: '00:00-23:59',
    BOOKING_READS_PER_MINUTE: '100000',
    BOOKING_WRITES_PER_MINUTE: '100000',
  };
  return { smtp, provider, receiver, venue, settings };
}

/** Does something and says how long it took; whether that is short enough depends on the machine. */
export async function timed(
  context: { diagnostic(message: string): void },
  work: () => Promise<unknown>,
): Promise<void> {
  const began = performance.now();
  await work();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  context.diagnostic(`${work.toString().replace(/^.*\./, '')} of others took ${seconds} s`);
}

let made = 0;

/** One piece of work of each kind, for somebody whom nothing else concerns, and done when it has been seen to be done. */
export class OneOfEach {
  readonly service: TestService;
  readonly #parts: Counterparts;
  readonly #partner: AskingPartner;
  readonly #agentId: string;
  readonly #webhooks: WebhookPartner;
  readonly #memberId: string;

  private constructor(
    service: TestService,
    parts: Counterparts,
    people: { partner: AskingPartner; agentId: string; webhooks: WebhookPartner; memberId: string },
  ) {
    this.service = service;
    this.#parts = parts;
    this.#partner = people.partner;
    this.#agentId = people.agentId;
    this.#webhooks = people.webhooks;
    this.#memberId = people.memberId;
  }

  static async of(service: TestService, parts: Counterparts): Promise<OneOfEach> {
    const partner = await AskingPartner.add(service);
    const { agentId } = await signUpAgent(service);
    const webhooks = await WebhookPartner.register(service, `${parts.receiver.url}/other`);
    const { id: memberId } = await memberOf(service);
    return new OneOfEach(service, parts, { partner, agentId, webhooks, memberId });
  }

  /** Gives the booking that the webhook is about. */
  async queueWebhook(): Promise<string> {
    const booking = this.#webhooks.newBooking();
    await this.#webhooks.move(booking, 1);
    return booking;
  }

  async webhook(): Promise<void> {
    const { receiver } = this.#parts;
    const booking = await this.queueWebhook();
    await until('the other webhook', () => receiver.received.some(({ body }) => body.includes(booking)));
  }

  async callback(): Promise<void> {
    const { receiver } = this.#parts;
    const path = `/callback/${made++}`;
    await this.queueCallback(path, `sub_${made}`);
    await until('the other callback', () => receiver.received.some((one) => one.path === path));
  }

  queueCallback(path: string, subjectId: string): Promise<void> {
    const { newId, clock } = this.service.app.deps;
    const callback = { url: this.#parts.receiver.url + path, agentId: this.#agentId, subjectId };
    return this.service.database.pool.begin((sql) =>
      queueCallback(
        sql,
        { newId, now: clock.now() },
        { ...callback, event: 'submission.approved', payload: {} },
      ),
    );
  }

  /** A venue that is asked by mail: a decision, a mail, and the note of it. */
  async askedByMail(): Promise<string> {
    const email = `host-${made++}@venue.example`;
    return this.#asked(await addVenue(this.service, { name: `Warung ${made}`, email }), 'asking');
  }

  async askedByText(): Promise<string> {
    const phone = `+62812345${String(made++).padStart(4, '0')}`;
    return this.#asked(await addVenue(this.service, { name: `Warung ${made}`, phone }), 'asking');
  }

  async askedInSystem(): Promise<string> {
    return this.#asked(await connectVenue(this.service, this.#parts.venue), 'confirmed');
  }

  async #asked(placeId: string, status: string): Promise<string> {
    const booking = await this.#partner.request(placeId);
    await this.#partner.untilStatus(booking, status);
    return booking;
  }

  async mail(): Promise<void> {
    await this.untilSent([await postMail(this.service)]);
  }

  async untilSent(ids: readonly string[]): Promise<void> {
    await until('the mails are sent', async () => {
      const rows = await this.service.database.pool`
        select from message where id = any(${ids}) and state = 'sent' and attempts = 1`;
      return rows.length === ids.length;
    });
  }

  /** A photo whose file was lost: the pipeline refuses it. */
  async photo(): Promise<void> {
    const id = await this.addPhoto();
    await addJob(this.service.database.pool, 'process_photo', { photoId: id });
    await this.untilRefused([id]);
  }

  async addPhoto(): Promise<string> {
    const { pool } = this.service.database;
    const { clock } = this.service;
    const id = this.service.app.deps.newId('pho');
    const placeId = await addMadeUpPlace(pool, clock, { name: `Beach ${made++}` });
    await pool`
      insert into photo (id, member_id, place_id, created_at, updated_at)
      values (${id}, ${this.#memberId}, ${placeId}, ${clock.now()}, ${clock.now()})`;
    return id;
  }

  async untilRefused(ids: readonly string[]): Promise<void> {
    await until('the photos are refused', async () => {
      const rows = await this.service.database.pool`
        select from photo where id = any(${ids}) and state = 'refused'`;
      return rows.length === ids.length;
    });
  }

  /** The end of a drop that nobody knows of any more. */
  async upkeep(): Promise<void> {
    const photoId = `pho_gone_${made++}`;
    await addJob(this.service.database.pool, 'end_drop', { photoId, dropNumber: 1 });
    await this.untilDone('photoId', [photoId]);
  }

  /** All of it, one after the other. */
  async all(context: { diagnostic(message: string): void }): Promise<void> {
    await timed(context, () => this.webhook());
    await timed(context, () => this.callback());
    await timed(context, () => this.askedByMail());
    await timed(context, () => this.askedByText());
    await timed(context, () => this.askedInSystem());
    await timed(context, () => this.mail());
    await timed(context, () => this.photo());
    await timed(context, () => this.upkeep());
  }

  /** Until no job that names one of these is due, or has failed. */
  async untilDone(name: string, values: readonly string[]): Promise<void> {
    await until(`the jobs of ${values.join()} are done`, async () => {
      const due = await this.service.database.pool`
        select from graphile_worker._private_jobs
        where payload->>${name} = any(${values}) and (locked_at is not null or run_at < now() + interval '10 seconds')`;
      return due.length === 0;
    });
  }
}

async function memberOf(service: TestService): Promise<{ id: string }> {
  await joinMember(service, `Ayu ${made++}`);
  const [member] = await service.database.pool<{ id: string }[]>`
    select id from member order by created_at desc, id desc limit 1`;
  return { id: member?.id ?? '' };
}
