import { connect as connectTls } from 'node:tls';
import type { Config } from '../../config.ts';
import { systemClock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { Pool } from '../../core/postgres/db.ts';
import { DAY_MS } from '../../core/time.ts';
import { MailSender } from '../../messages/mail-sender.ts';
import { openPhotoStorage } from '../../photos/storage/open-storage.ts';
import { readStored } from '../../photos/photo-storage.ts';
import { tryAddress, tryStorage } from '../../surfaces/people/console/set-up/checks.ts';
import { Twilio } from '../../twilio/twilio.ts';
import { StripePayments } from '../../wallet/stripe-payments.ts';
import { reasonOf, type Check, type CheckFinding } from './finding.ts';

type OutsideCheck = Check<{ config: Config; pool: Pool; log: Log }>;

const CERTIFICATE_DAYS = 14;
const TLS_MS = 10_000;

const checkStorage: OutsideCheck = async ({ config, pool, log }) => {
  const name = 'Storage';
  const photoStorage = openPhotoStorage(config);
  const [store] = await pool<{ probe: string }[]>`select probe from photo_store`;
  if (store !== undefined) {
    const probe = await readStored(photoStorage, `probe/${store.probe}`).catch(() => undefined);
    if (probe?.toString() !== store.probe)
      return {
        ...{
          name,
          state: 'fault',
          text: 'It is not the storage of the other nodes on this database, or cannot be read.',
        },
        fix: 'Set PHOTO_DIR to a folder that all nodes see, or PHOTO_S3_URL and its bucket.',
      };
  }
  const { kind, text } = await tryStorage({ photoStorage, log });
  if (kind === 'good') return { name, state: 'ok', text };
  const fix = 'Check PHOTO_DIR or the PHOTO_S3 settings, the rights on them, and free space.';
  return { name, state: 'fault', text: 'A file could not be stored and read.', fix };
};

const checkMail: OutsideCheck = async ({ config: { smtp } }) => {
  const name = 'Mail';
  if (smtp === undefined)
    return {
      ...{ name, state: 'warning', text: 'No mail is sent; messages wait in /console/outbox.' },
      fix: 'Set SMTP_URL and MAIL_FROM.',
    };
  return attempt(
    () => new MailSender(smtp.url, smtp.from).check(),
    { name, text: 'The mail server accepts the sign-in.' },
    'Check SMTP_URL: host, port, user and password.',
  );
};

const checkTexts: OutsideCheck = async ({ config: { twilio, egressAllow } }) => {
  const name = 'Phone';
  if (twilio === undefined)
    return {
      name,
      state: 'ok',
      text: 'No phone provider is set: venues are asked by mail, systems and the desk.',
    };
  return attempt(
    () => new Twilio({ allow: egressAllow }, twilio).check(),
    { name, text: 'The phone provider accepts the account.' },
    'Check TWILIO_ACCOUNT and TWILIO_TOKEN.',
  );
};

const checkPayments: OutsideCheck = async ({ config: { stripe, testPayments, egressAllow } }) => {
  const name = 'Payments';
  if (stripe !== undefined)
    return attempt(
      () => new StripePayments({ allow: egressAllow }, systemClock, stripe).check(),
      { name, text: 'The payment provider accepts the key.' },
      'Check STRIPE_SECRET_KEY.',
    );
  if (testPayments)
    return {
      ...{ name, state: 'warning', text: 'Test payments are on: nothing is paid.' },
      fix: 'Before you sell anything, set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.',
    };
  return { name, state: 'ok', text: 'No payment provider is set: nothing can be bought.' };
};

const checkAddress: OutsideCheck = async ({ config }) => {
  const name = 'Address';
  const { protocol, hostname, port } = new URL(config.baseUrl);
  if (protocol !== 'https:')
    return {
      ...{ name, state: 'warning', text: `${config.baseUrl} is not encrypted.` },
      fix: 'Put a proxy with a certificate in front and set BASE_URL to its https address.',
    };
  const { kind, text } = await tryAddress({ config, egress: { allow: config.egressAllow } });
  if (kind !== 'good') {
    const [fact = '', ...rest] = text.split('. ');
    const fix = rest.join('. ') || 'Check the proxy in front of the service.';
    return { name, state: 'fault', text: `${fact}.`, fix };
  }
  const until = await certificateEnd(hostname, Number(port) || 443).catch(() => undefined);
  const days = until === undefined ? undefined : Math.floor((until - Date.now()) / DAY_MS);
  if (days !== undefined && days < CERTIFICATE_DAYS)
    return {
      ...{ name, state: 'warning', text: `${text} Its certificate ends in ${days} days.` },
      fix: 'Renew the certificate of the proxy.',
    };
  return { name, state: 'ok', text };
};

function certificateEnd(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host, port, servername: host, timeout: TLS_MS }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.end();
    });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('timeout')));
  });
}

async function attempt(
  work: () => Promise<void>,
  { name, text }: Pick<CheckFinding, 'name' | 'text'>,
  fix: string,
): Promise<CheckFinding> {
  try {
    await work();
    return { name, state: 'ok', text };
  } catch (thrown) {
    return { name, state: 'fault', text: reasonOf(thrown), fix };
  }
}

export const OUTSIDE_CHECKS: readonly OutsideCheck[] = [
  checkStorage,
  checkMail,
  checkTexts,
  checkPayments,
  checkAddress,
];
