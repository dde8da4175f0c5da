import { html, type Html } from '../../../core/text/html.ts';
import { link, userText } from '../frame/components.ts';
import type { Notice } from '../person/page-request.ts';

/** Links a place by its name, for the notice about it. */
export function placeSubject({ id, name }: { id: string; name: string }): Html {
  return link(`/console/places/${id}`, userText(name));
}

/** Puts the name of what a notice is about before its text. */
export function noticeAbout(subject: Html | undefined, notice: Notice | undefined): Notice | undefined {
  return notice === undefined || subject === undefined
    ? notice
    : { ...notice, text: html`${subject}: ${notice.text}` };
}
