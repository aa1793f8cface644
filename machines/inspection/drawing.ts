import type { ChartState } from "./rules.ts";

// A chart with its places: what the layout answers, and what the page draws.

export interface Point {
  x: number;
  y: number;
}

/** In px of the drawing, from its upper left corner. */
export interface Box extends Point {
  width: number;
  height: number;
}

/** One row of text: of an arrow, or in a state's box. */
export interface DrawnRow {
  text: string;
  tone: "event" | "detail";
  /** The transition that it belongs to (`transitionKey`); "" for what is none. */
  transition: string;
}

export interface DrawnState extends Box {
  state: ChartState;
  isUnfolded: boolean;
  rows: readonly DrawnRow[];
}

/** All transitions from one state to another: one line, with a row or two for each of them. */
export interface DrawnArrow {
  id: string;
  points: readonly Point[];
  label: Box;
  rows: readonly DrawnRow[];
  /** Of the transitions that it stands for, also those that a folded state hides. */
  transitions: readonly string[];
}

/** A chart as it is drawn. */
export interface Drawing {
  width: number;
  height: number;
  /** Outer ones first. */
  states: readonly DrawnState[];
  /** Where a state begins that has others inside. */
  starts: readonly Box[];
  /** Where an arrow begins that leads from anywhere in a state to a state inside of it. */
  anywheres: readonly (Box & { text: string; path: readonly string[] })[];
  arrows: readonly DrawnArrow[];
}
