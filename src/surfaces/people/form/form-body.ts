import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../core/errors.ts';
import { AS_TYPED, typedText, visibleText } from '../../../core/text/visible-text.ts';
import { bodyParser } from '../../../protocol/http/json-body.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const FORM_LIMIT_BYTES = 256 * 1024;
const FIELDS_MAX = 5_000;

/**
 * Mounts pages whose forms use URL encoding. They have a scope of their own, so that the APIs keep rejecting such
 * bodies, which any web page could send without a CORS preflight.
 */
export function addFormPages(app: FastifyInstance, mount: (scope: FastifyInstance) => void): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>(
      FORM_TYPE,
      { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES },
      bodyParser(parseForm),
    );
    scope.addContentTypeParser('*', (_request, _payload, parsed) => {
      parsed(new AppError('unsupported_media_type', `Send the form as Content-Type: ${FORM_TYPE}.`));
    });
    mount(scope);
    done();
  });
}

/** Returns the form fields of a request, without invisible characters; empty for a request without a body. */
export function readForm(request: FastifyRequest): URLSearchParams {
  return cleanFields(rawForm(request), visibleText);
}

/** Returns the form for redisplay, also without characters that nobody can type, which field validation rejects. */
export function redisplayForm(form: URLSearchParams): URLSearchParams {
  return cleanFields(form, typedText);
}

/** Returns the form unchanged, for values that are compared and never shown: a password, or signed text. */
export function rawForm(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

/** Returns the query parameters of the URL, without invisible characters. */
export function readQuery(request: FastifyRequest): URLSearchParams {
  return cleanFields(new URLSearchParams(/\?(.*)$/s.exec(request.url)?.[1] ?? ''), typedText);
}

function cleanFields(fields: URLSearchParams, clean: (text: string) => string): URLSearchParams {
  return new URLSearchParams(
    [...fields].map(([name, value]) => [name, name === AS_TYPED ? value : clean(value)]),
  );
}

function parseForm(body: Buffer): URLSearchParams {
  const text = body.toString('latin1');
  if (!isUtf8(body) || !isDecodable(text))
    throw new AppError('bad_request', 'The form is not valid UTF-8.', {
      hint: 'Load the page again and send the form again.',
    });
  const form = new URLSearchParams(body.toString('utf8'));
  if (form.size > FIELDS_MAX)
    throw new AppError('body_too_large', `The form has more than ${FIELDS_MAX} fields.`);
  return form;
}

/**
 * Checks the encoding first: URLSearchParams would insert replacement characters for invalid bytes, and the text would
 * be lost.
 */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text.replaceAll('+', ' '));
    return true;
  } catch {
    return false;
  }
}
