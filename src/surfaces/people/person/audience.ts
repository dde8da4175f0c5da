import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors.ts';
import { callerGroup, type AddressGroup } from '../../../core/text/address-group.ts';

/** A kind of people who use pages: how we know them, and what those see whom we do not know. */
export interface Audience<Person> {
  /** Who sends this request; undefined when it is nobody of this kind. Asked before the body is read. */
  find(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Person | undefined>;
  /** By which the audit log calls them. */
  actor(person: Person): string;
  /** The page that somebody else gets instead of one for these people. */
  turnAway(deps: Deps, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply>;
  /** What a form or a program of somebody else is told; where it is absent, they are turned away like a page. */
  refusal?(): AppError;
  /** Refuses whom we know and who may not do this, or not yet; a way that leads there first is returned. */
  admit?(person: Person): string | undefined;
  /** Set where they are everybody: their pages are counted by address. */
  visitors?: true;
  /** Refuses a form that comes from elsewhere, by an error or with its page; where it is absent, the form's token tells. */
  vouch?(deps: Deps, request: FastifyRequest, person: Person): void;
}

/** Whoever opens a public page, known by where they come from. */
export interface Anybody {
  address: AddressGroup;
}

export const anybody: Audience<Anybody> = {
  find: (_deps, request) => Promise.resolve({ address: callerGroup(request) }),
  actor: ({ address }) => `address:${address}`,
  turnAway: (_deps, _request, reply) => reply,
  visitors: true,
};

/** A program that sends no form of ours, and therefore no token. It has no session that somebody could misuse. */
export const anyProgram: Audience<Anybody> = { ...anybody, vouch: () => undefined };
