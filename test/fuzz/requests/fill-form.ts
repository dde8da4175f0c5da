import { samplePng } from '../../harness/sample-png.ts';
import type { Caller } from '../world/caller.ts';
import { privateText } from '../world/known-values.ts';
import type { World } from '../world/world.ts';
import type { HtmlField, HtmlForm } from './html-forms.ts';
import type { FormStep } from './plan.ts';

export type Filled = [name: string, value: string | Buffer][];

const TEXTS = [
  'A quiet table by the window',
  'Warung Senja',
  'Closed on Mondays',
  'Mo-Su 10:00-22:00',
  '7',
  '450',
  '$$',
];
const PICTURE = samplePng(900, 700);
const PASSWORD = 'correct horse battery';

/** Fills in a form as the step wants it: as a person would, or with something else in some of its fields. */
export async function fillForm(
  world: World,
  caller: Caller,
  form: HtmlForm,
  step: FormStep,
): Promise<Filled> {
  const choice = (n: number) => step.choices[n % step.choices.length] ?? 0;
  const filled: Filled = [];
  for (const [n, field] of form.fields.entries()) {
    const spoilt =
      step.spoil > 0 && field.name !== 'csrf' && (choice(n) + n) % form.fields.length < step.spoil;
    const text = step.texts[n % step.texts.length] ?? '';
    // Of what is hidden most stays: a form about nothing is refused before it is read.
    if (spoilt && (field.type !== 'hidden' || choice(n) % 3 === 0))
      filled.push([field.name, field.type === 'file' ? Buffer.from(text) : text]);
    else {
      const value = isShown(form, field)
        ? `info${choice(n)}@venue-${choice(n)}.example`
        : await goodValue(world, caller, field, choice(n));
      if (value !== undefined) filled.push([field.name, value]);
    }
  }
  for (const [name, value] of Object.entries(step.extra)) filled.push([name, value]);
  return filled;
}

/** A mailbox that a venue writes into its listing is for everybody. */
function isShown(form: HtmlForm, { type }: HtmlField): boolean {
  return type === 'email' && form.action === '/venue/contacts';
}

async function goodValue(
  world: World,
  caller: Caller,
  field: HtmlField,
  n: number,
): Promise<string | Buffer | undefined> {
  const { name, type, options, value } = field;
  if (name === 'csrf' || type === 'hidden') return value;
  if (name === 'code' || name === 'totp') return lastCode(world);
  switch (type) {
    case 'submit':
    case 'radio':
    case 'select':
      return options[n % options.length];
    case 'checkbox':
      return n % 2 === 0 ? (options[0] === '' ? 'on' : options[0]) : undefined;
    case 'file':
      return PICTURE;
    case 'email':
      return n % 2 === 0 ? caller.email : privateText('mailbox', caller.letter, n);
    case 'password':
      return PASSWORD;
    case 'date':
      return world.find(caller)('date', '', n);
    case 'time':
      return '19:30';
    case 'number':
      return String(n);
    case 'url':
      return `https://place-${n}.example/`;
    case 'tel':
      return '+62361123456';
    default:
      return (n % 3 === 0 && value !== '' ? value : (TEXTS[n % TEXTS.length] ?? '')).slice(
        0,
        field.maxLength,
      );
  }
}

/** Reads the last code that was sent, as its recipient would in the mailbox. */
async function lastCode({ service }: World): Promise<string> {
  const [message] = await service.database.pool<{ body: string }[]>`
    select body from message where purpose like '%code' order by sequence desc limit 1`;
  return /code: (\d{6})/.exec(message?.body ?? '')?.[1] ?? '000000';
}

/** The bytes of a filled form, and their type. */
export function encodeForm(filled: Filled, multipart: boolean): { type: string; body: Buffer } {
  if (!multipart) {
    const pairs = filled.map(([name, value]): [string, string] => [name, value.toString()]);
    return {
      type: 'application/x-www-form-urlencoded',
      body: Buffer.from(new URLSearchParams(pairs).toString()),
    };
  }
  const boundary = 'zq7boundary';
  const parts = filled.flatMap(([name, value]) => {
    const label = `form-data; name="${encodeURIComponent(name)}"`;
    const file = typeof value === 'string' ? '' : `; filename="p\u200b<b>.png"\r\nContent-Type: image/png`;
    return [
      Buffer.from(`--${boundary}\r\nContent-Disposition: ${label}${file}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ];
  });
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
