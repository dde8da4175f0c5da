import { z } from 'zod';
import { neededMember } from '../core/input/needed-member.ts';
import { E164, plainPhone } from '../core/text/e164.ts';
import { ADDRESS_MAX } from '../core/text/limits.ts';
import { line, text, webAddress } from '../core/text/text.ts';
import { countryArgument } from '../directory/country/country.ts';
import { HOURS_TEXT_MAX } from '../directory/hours/hours-text.ts';
import { compileSubmittedHours } from '../directory/hours/submitted-hours.ts';
import { submittedVerticalSet } from '../directory/sets/vertical.ts';
import { relationshipSet } from './submission.ts';

const HOURS_KEYS_MAX = 30;
const DAY_TEXT_MAX = 200;

/** The caller's own reference; an empty text means none. */
export const ownReference = text(0, 128).refine((value) => /^[\w.:@/-]*$/.test(value), {
  error: 'may contain only letters, digits and _ . : @ / -',
});

/** A number in E.164 form. Spaces and hyphens are removed; an incomplete number is never completed. */
const phone = text(0, 40).refine((value) => value === '' || E164.test(plainPhone(value)), {
  error:
    'must be in E.164 form with its country code, such as +62361123456; leave it empty if you do not know it',
  params: { code: 'phone_not_e164' },
});

const email = text(0, 254)
  .toLowerCase()
  .refine((value) => value === '' || z.email().safeParse(value).success, {
    error: 'must be an email address',
  });

const language = text(1, 35).refine(isLanguage, {
  error: 'must be a BCP 47 language tag such as en or pt-BR',
});

function isLanguage(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}

/** Placeholder position: only the syntax is checked here, before the place and its time zone are known. */
const ANYWHERE = { lat: 0, lng: 0, country: 'ID', timezone: 'UTC', now: new Date(0) };

interface HoursFault {
  path: string[];
  detail: string;
}

/** A text or an object of days. A union schema could not report which day is wrong. */
const hours = z
  .unknown()
  .check((check) => {
    for (const { path, detail } of hoursFaults(check.value))
      check.issues.push({
        code: 'custom',
        input: check.value,
        path,
        message: detail,
        params: { code: 'bad_hours' },
      });
  })
  .meta({
    anyOf: [
      { type: 'string', maxLength: HOURS_TEXT_MAX },
      { type: 'object', additionalProperties: { type: 'string' }, maxProperties: HOURS_KEYS_MAX },
    ],
  });

function hoursFaults(value: unknown): HoursFault[] {
  if (typeof value === 'string') {
    const parsed = text(0, HOURS_TEXT_MAX).safeParse(value);
    return parsed.success
      ? []
      : [{ path: [], detail: `must be plain text of at most ${HOURS_TEXT_MAX} characters` }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ path: [], detail: 'must be a text, or an object of days' }];
  const days = value as Record<string, unknown>;
  if (Object.keys(days).length > HOURS_KEYS_MAX)
    return [{ path: [], detail: `must have at most ${HOURS_KEYS_MAX} entries` }];
  const long = Object.entries(days).filter(([, day]) => JSON.stringify(day).length > DAY_TEXT_MAX);
  if (long.length > 0) return long.map(([key]) => ({ path: [key], detail: 'is too long' }));
  return compileSubmittedHours(days, ANYWHERE).errors.map(({ pointer, detail }) => ({
    path: pointer
      .split('/')
      .slice(2)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
    detail,
  }));
}

const claim = z.object({
  text: line(3, 200).describe('The award.'),
  source_url: webAddress()
    .refine((value) => value !== '', { error: 'must be the address of its source' })
    .describe('Its page.'),
});

const REQUIRED = ['relationship', 'name', 'country', 'city'] as const;

/** Every field of a business. Those required for a new one may be omitted in an update. */
export const businessFields = z
  .object({
    relationship: relationshipSet.schema.optional(),
    external_ref: ownReference.nullable().optional().describe('Your reference; a known one updates.'),
    submission_id: text(0, 64).optional().describe('Updates this submission of yours.'),
    name: line(2, 160).optional().describe('As the business writes it.'),
    vertical: submittedVerticalSet.schema.nullable().optional().describe('The type of place (other).'),
    country: countryArgument.optional().describe('ISO 3166 code or English name.'),
    city: line(1, 120).optional().describe('The town, or a destination.'),
    address: line(0, ADDRESS_MAX).nullable().optional().describe('Street and number.'),
    lat: z.number().min(-90).max(90).nullable().optional().describe('With lng.'),
    lng: z.number().min(-180).max(180).nullable().optional().describe('With lat.'),
    phone: phone.nullable().optional().describe('E.164, as published.'),
    email: email.nullable().optional().describe('As published.'),
    website: webAddress().nullable().optional().describe('Its own site.'),
    description: text(0, 2_000).nullable().optional().describe('What guests find there.'),
    languages: z.array(language).max(20).nullable().optional().describe('Spoken there, as BCP 47 tags.'),
    price_range: text(0, 40).nullable().optional().describe('Such as $$ or IDR 50k–120k.'),
    hours: hours.nullable().optional().describe('Mo-Fr 09:00-17:00, or {"mon-fri": "09:00-17:00"}.'),
    claims: z.array(claim).max(10).nullable().optional().describe('Awards.'),
    callback_url: webAddress().nullable().optional().describe('https; gets the decision, signed.'),
    dry_run: z.boolean().optional().describe('true: only check, for one read.'),
  })
  // Without a reference to an existing submission, the input is a new business.
  .check(
    ...REQUIRED.map((field) => neededMember(field, (input) => isUpdate(input) || input[field] !== undefined)),
  )
  // An update has a reference and the changed fields; clients that validate arguments must accept it.
  .meta({ anyOf: [REQUIRED, ['external_ref'], ['submission_id']].map((required) => ({ required })) });

function isUpdate({ external_ref, submission_id }: Readonly<Record<string, unknown>>): boolean {
  return Boolean(external_ref) || Boolean(submission_id);
}

export type BusinessInput = z.output<typeof businessFields>;

export function missingFields(content: Partial<Record<(typeof REQUIRED)[number], unknown>>): string[] {
  return REQUIRED.filter((field) => content[field] === undefined);
}
