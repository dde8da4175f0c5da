import { escapeHtml } from '../core/text/html.ts';

/**
 * Builds the TwiML document of a call. All text in its parts is escaped, because names of venues and guests are
 * untrusted.
 */
export function twiml(...parts: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Response>${parts.join('')}</Response>`;
}

/** Speaks a text. `voice` is a language that the provider supports, for example de-DE. */
export function sayElement(text: string, voice: string): string {
  return `<Say language="${escapeHtml(voice)}">${escapeHtml(text)}</Say>`;
}

export function pause(seconds: number): string {
  return `<Pause length="${seconds}"/>`;
}

/** Speaks a text and waits for one key; without a key the call continues with the next element. */
export function gather(actionUrl: string, text: string, voice: string): string {
  return `<Gather input="dtmf" numDigits="1" timeout="8" method="POST" action="${escapeHtml(actionUrl)}">${sayElement(text, voice)}</Gather>`;
}

export function hangUp(): string {
  return '<Hangup/>';
}
