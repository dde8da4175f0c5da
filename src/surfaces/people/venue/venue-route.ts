import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import type { Html } from '../../../core/text/html.ts';
import type { Destination } from '../../../directory/destinations.ts';
import { findPlace, type Place } from '../../../directory/place/place.ts';
import { signedInVenue } from '../../../venue/venue-session.ts';
import { checkCsrf } from '../form/csrf.ts';
import { readForm } from '../form/form-body.ts';
import { sendSignedOutPage } from './signed-out-page.ts';
import { form, sendVenuePage, type Notice } from './venue-frame.ts';

/** One request of a venue that is signed in, with the listing that it looks after. */
export interface VenueVisit {
  deps: Deps;
  request: FastifyRequest;
  reply: FastifyReply;
  place: Place;
  destination: Destination;
  form: URLSearchParams;
  now: Date;
}

interface VenueRoute {
  method: 'GET' | 'POST';
  path: string;
  handle(visit: VenueVisit): Promise<FastifyReply>;
}

/** Mounts a page or a form of the venue's own area: the session and the form's token are checked here, for all of them. */
export function venueRoute(scope: FastifyInstance, deps: Deps, route: VenueRoute): void {
  scope.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const placeId = await signedInVenue(deps, request);
      const place = placeId === undefined ? undefined : await findPlace(deps.pool, placeId);
      const destination = deps.destinations.current.destinations.find(
        ({ id }) => id === place?.destination_id,
      );
      if (place === undefined || destination === undefined) {
        if (route.method === 'GET') return sendSignedOutPage(deps, reply);
        throw new AppError(
          'sign_in_required',
          'You are no longer signed in as the venue. Nothing was changed.',
          {
            hint: 'Open the page of your place and choose to look after the listing, then try again.',
          },
        );
      }
      if (route.method === 'POST') checkCsrf(deps, request);
      return route.handle({
        deps,
        request,
        reply,
        place,
        destination,
        form: readForm(request),
        now: deps.clock.now(),
      });
    },
  });
}

export const VENUE_NAV = [{ href: '/venue', label: 'Your listing' }];

/** A page of the area about one part of the listing: a form, and the way back. */
export function sendPartPage(
  visit: VenueVisit,
  model: {
    title: string;
    lead: string | Html;
    action: string;
    fields: Html;
    notice?: Notice | undefined;
    files?: boolean;
    status?: number;
  },
): Promise<FastifyReply> {
  const { deps, request, reply } = visit;
  return sendVenuePage(deps, reply, {
    title: model.title,
    lead: model.lead,
    nav: VENUE_NAV,
    current: '/venue',
    notice: model.notice,
    ...(model.status !== undefined && { status: model.status }),
    body: form({
      deps,
      request,
      reply,
      action: model.action,
      body: model.fields,
      ...(model.files !== undefined && { files: model.files }),
    }),
  });
}

/** Back to the listing, which says what was done and offers to take it back. */
export function sendDone(visit: VenueVisit, part: string): FastifyReply {
  return visit.reply.redirect(`/venue?done=${part}`, 303);
}
