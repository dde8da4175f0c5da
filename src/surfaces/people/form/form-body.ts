import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../core/errors.ts';
import { AS_TYPED, typedText, visibleText } from '../../../core/text/visible-text.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const FORM_LIMIT_BYTES = 256 * 1024;
const FIELDS_MAX = 5_000;

/**
 * Mounts pages whose forms are sent in the browser's own encoding. They stand in a scope of their own, so that the
 * interfaces for programs go on refusing such bodies, which any web page could send without asking.
 */
export function addFormPages(app: FastifyInstance, mount: (scope: FastifyInstance) => void): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>(
      FORM_TYPE,
      { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES },
      (_request, body, parsed) => {
        try {
          parsed(null, parseForm(body));
        } catch (thrown) {
          parsed(thrown as Error);
        }
      },
    );
    scope.addContentTypeParser('*', (_request, _payload, parsed) => {
      parsed(new AppError('unsupported_media_type', `Send the form as Content-Type: ${FORM_TYPE}.`));
    });
    mount(scope);
    done();
  });
}

/** The fields of the form that a request carries, without what nobody sees; a request without a body carries none. */
export function readForm(request: FastifyRequest): URLSearchParams {
  return cleaned(sentForm(request), visibleText);
}

/** The same to be shown again: also without what nobody can type, which is refused where it stands. */
export function shownForm(form: URLSearchParams): URLSearchParams {
  return cleaned(form, typedText);
}

/** The form as it was sent, for what is compared and never shown: a password, or what a signature stands for. */
export function sentForm(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

/** What stands in the address behind the question mark, without what nobody sees. */
export function readQuery(request: FastifyRequest): URLSearchParams {
  return cleaned(new URLSearchParams(/\?(.*)$/s.exec(request.url)?.[1] ?? ''), typedText);
}

function cleaned(fields: URLSearchParams, clean: (text: string) => string): URLSearchParams {
  return new URLSearchParams(
    [...fields].map(([name, value]) => [name, name === AS_TYPED ? value : clean(value)]),
  );
}

function parseForm(body: Buffer): URLSearchParams {
  const text = body.toString('latin1');
  if (!isUtf8(body) || !isDecodable(text)) throw new AppError('bad_request', 'The form is not valid UTF-8.');
  const form = new URLSearchParams(body.toString('utf8'));
  if (form.size > FIELDS_MAX)
    throw new AppError('body_too_large', `The form has more than ${FIELDS_MAX} fields.`);
  return form;
}

/** URLSearchParams would put a replacement character for what cannot be read, and the person's text would be lost. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text.replaceAll('+', ' '));
    return true;
  } catch {
    return false;
  }
}
