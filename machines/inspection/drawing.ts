import type { ChartState } from "./rules.ts";

// A statechart with coordinates: the result of the layout, which the page draws.

export interface Point {
  x: number;
  y: number;
}

/** In px from the upper left corner of the drawing. */
export interface Box extends Point {
  width: number;
  height: number;
}

/** One row of text, of an arrow or in a state's box. */
export interface DrawnRow {
  text: string;
  tone: "event" | "detail";
  /** The row's transition (`transitionKey`); "" if it has none. */
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
  /** The transitions of the arrow, including those that a folded state hides. */
  transitions: readonly string[];
}

/** A chart as it is drawn. */
export interface Drawing {
  width: number;
  height: number;
  /** Outer ones first. */
  states: readonly DrawnState[];
  /** The start marks of states with children. */
  starts: readonly Box[];
  /** The starts of arrows that lead from anywhere in a state to one of its children. */
  anywheres: readonly (Box & { text: string; path: readonly string[] })[];
  arrows: readonly DrawnArrow[];
}
