import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors.ts';
import { callerGroup, type AddressGroup } from '../../../core/text/address-group.ts';

/** A kind of page user: how they are authenticated, and what everybody else sees. */
export interface Audience<Person> {
  /** Returns the sender of the request; undefined when it is nobody of this kind. Called before the body is read. */
  find(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Person | undefined>;
  /** Actor name in the audit log. */
  actor(person: Person): string;
  /** Sends the page or redirect for everybody else. */
  turnAway(deps: Deps, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply>;
  /** Returns the error for a form or program that is not authenticated; when absent, `turnAway` is used. */
  refusal?(): AppError;
  /**
   * Checks the permissions of a known person: throws when they may not do this; returns a path when they must first
   * complete a step there.
   */
  admit?(person: Person): string | undefined;
  /** True when the person may perform an action; otherwise its form is not shown. Absent: everybody may. */
  allows?(person: Person): boolean;
  /** Set for public pages, which are rate-limited by network address. */
  isPublic?: true;
  /** Throws for a form that another site sent. When absent, the CSRF token is checked. */
  verifyOrigin?(deps: Deps, request: FastifyRequest, person: Person): void;
}

/** A visitor of a public page, identified by network address. */
export interface Anybody {
  address: AddressGroup;
}

export const anybody: Audience<Anybody> = {
  find: (_deps, request) => Promise.resolve({ address: callerGroup(request) }),
  actor: ({ address }) => `address:${address}`,
  turnAway: (_deps, _request, reply) => reply,
  isPublic: true,
};

/** A program that sends no form of ours, and therefore no CSRF token. It has no session to abuse. */
export const anyProgram: Audience<Anybody> = { ...anybody, verifyOrigin: () => undefined };

/** Callers who are authenticated by each request itself; anybody else gets the error. */
export function callers<Person>(
  refusal: () => AppError,
  who: Omit<Audience<Person>, 'turnAway' | 'refusal'>,
): Audience<Person> {
  return {
    ...who,
    refusal,
    turnAway: () => {
      throw refusal();
    },
  };
}
