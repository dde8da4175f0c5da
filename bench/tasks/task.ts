import type { World } from './world/world.ts';

/** Who the agent is connected to. With the concierge it has the partner's tools too: the ids of places come from there. */
export type Surface = 'agent' | 'partner' | 'concierge';

/** Some hosts hand a model only the text of a result, others only its structured content. */
export const MODES = ['text', 'structured'] as const;
export type Mode = (typeof MODES)[number];

/** A value that the wording gives; a list holds what is to be tried next should the one before be refused. */
export type Value = string | number | boolean | readonly string[];

/** The values of the wording, by everyday words. */
export type Said = Readonly<Record<string, Value>>;

/** Kinds of information that a user may want, each with a pattern by which a reader recognises it. */
export type Wanted =
  | 'phone'
  | 'link'
  | 'hours'
  | 'price'
  | 'rating'
  | 'menu'
  | 'status'
  | 'channel'
  | 'id'
  | 'reason'
  | 'balance';

export interface Step {
  /** The task of this step in words of the wording; a tool is chosen by them. */
  do: string;
  /** The values of the wording that belong to this step; all of them unless named. */
  with?: readonly string[];
  /** The information that the user wants from it. */
  find?: readonly Wanted[];
}

/** How an agent fills arguments that has not read the schema well. */
export interface Habits {
  /** The name of a parameter that it uses for something that was said. */
  names?: Readonly<Record<string, string>>;
  /** Numbers go as text. */
  quoted?: boolean;
  /** How it sends an unknown value: as an empty text, or as null. */
  unknown?: 'empty' | 'null';
}

/** The result of a run. */
export interface Outcome {
  /** The text that the user gets: the last results, or the last words of a model. */
  answer: string;
  /** Everything that was seen on the way. */
  seen: string;
}

export interface Task {
  name: string;
  surface: Surface;
  /** No tools: the agent has the address of the service and reads what it says for agents. */
  byWeb?: boolean;
  /** The wording; {words} stand for what is said. */
  ask: string;
  said: Said;
  steps: readonly Step[];
  habits?: Habits;
  /** Headers that hold the credential of this run. */
  headers: Readonly<Record<string, string>>;
  solved: (outcome: Outcome) => Promise<boolean> | boolean;
}

/** Makes a task and what it takes for granted, such as a table that was asked for before. Every run has its own. */
export type MakeTask = (world: World, run: number) => Task | Promise<Task>;
