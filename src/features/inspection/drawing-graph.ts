import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import { append, largest } from "#contract/lists.ts";
import type { DrawnRow } from "#machines/inspection/drawing.ts";
import { type ChartState, type ChartTransition, pathKey, statesOf, transitionKey } from "#machines/inspection/rules.ts";

// Converts a chart to a graph for ELK. A state is a node; an unfolded state contains its states and arrows. All arrows
// from one state to another are one line with several rows of text. A transition without a target is a row in the
// state's box. An arrow that leaves a region starts at the border of the parallel state and names its source, so that
// regions can be placed freely.

/** The texts of a drawing and their sizes. */
export interface Lettering {
  /** Width in px. */
  widthOf(text: string, tone: "name" | DrawnRow["tone"]): number;
  /** The readable name of a transition's event: "file.chosen", "after 5 s", "transfer succeeded". */
  eventText(transition: ChartTransition): string;
  /** The state's own activities: "entry / a, b", "runs c". */
  activityTexts(state: ChartState): readonly string[];
  /** The label of the box whose arrows can be taken from any state inside. */
  anywhere: string;
  /** The label for rows that don't fit into a box: "5 more". */
  more(count: number): string;
}

/** px: height of a state's name, height of a row of text, padding, and size of the initial-state dot. */
const [nameHeight, rowHeight, inset, dot] = [30, 17, 10, 12];
/** Longer rows are broken. Boxes with more rows say how many are missing. */
const [maxCharacters, maxRows] = [40, 8];

/** An arrow before its layout. */
interface PlannedArrow {
  id: string;
  /** Ids of nodes. */
  source: string;
  target: string;
  /** The path of the innermost state that contains both ends. */
  within: readonly string[];
  rows: DrawnRow[];
  transitions: string[];
}

export interface DrawingGraph {
  root: ElkNode;
  arrows: ReadonlyMap<string, PlannedArrow>;
  /** Rows of each state, by path. */
  rows: ReadonlyMap<string, readonly DrawnRow[]>;
  unfolded: ReadonlySet<string>;
  /** `Lettering.anywhere`. */
  anywhere: string;
}

export const startId = (key: string): string => `${key}/start`;
export const anywhereId = (key: string): string => `${key}/anywhere`;
/** Ids have a prefix, because the root's path is empty and a node needs a name. */
export const nodeId = (key: string): string => `state:${key}`;

/** @param unfolded paths of the states drawn with their content */
export function graphOf(chart: ChartState, unfolded: readonly string[], lettering: Lettering): DrawingGraph {
  return new GraphBuilder(chart, new Set(unfolded), lettering).build(chart);
}

/** Breaks a row between words, and indents the second part. */
function brokenRows(text: string): string[] {
  const rows: string[] = [];
  for (const word of text.split(" ")) {
    const last = rows.at(-1);
    if (last === undefined) rows.push(word);
    else if (last.length + word.length < maxCharacters) rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(`  ${word}`);
  }
  return rows;
}

class GraphBuilder {
  readonly #arrows = new Map<string, PlannedArrow>();
  readonly #rows = new Map<string, readonly DrawnRow[]>();
  /** Arrows, by the path of the state that contains them. */
  readonly #edges = new Map<string, ElkExtendedEdge[]>();
  readonly #anywheres = new Set<string>();
  /** Paths of the parallel states. */
  readonly #parallel: ReadonlySet<string>;
  readonly #unfolded: ReadonlySet<string>;
  readonly #lettering: Lettering;

  constructor(chart: ChartState, unfolded: ReadonlySet<string>, lettering: Lettering) {
    const regions = statesOf(chart).filter(({ isParallel }) => isParallel);
    this.#parallel = new Set(regions.map(({ path }) => pathKey(path)));
    this.#unfolded = unfolded;
    this.#lettering = lettering;
  }

  build(chart: ChartState): DrawingGraph {
    this.#planArrows(chart);
    for (const arrow of this.#arrows.values()) this.#addEdge(arrow);
    const root = this.#nodeOf(chart);
    return { root, arrows: this.#arrows, rows: this.#rows, unfolded: this.#unfolded, anywhere: this.#lettering.anywhere };
  }

  /** The outermost folded state that contains a state, or the state itself. */
  #visible(path: readonly string[]): readonly string[] {
    for (let length = 1; length < path.length; length++) {
      const outer = path.slice(0, length);
      if (!this.#unfolded.has(pathKey(outer))) return outer;
    }
    return path;
  }

  #planArrows(state: ChartState): void {
    const from = this.#visible(state.path);
    const own: DrawnRow[] = this.#lettering
      .activityTexts(state)
      .flatMap((text) => brokenRows(text).map((row): DrawnRow => ({ text: row, tone: "detail", transition: "" })));
    for (const transition of state.transitions) {
      const rows = this.#rowsOf(state, transition);
      const targets = transition.targets.map((target) => this.#visible(target));
      const across = targets.filter((target) => pathKey(target) !== pathKey(from));
      if (transition.targets.length === 0 || (across.length === 0 && pathKey(from) === pathKey(state.path))) {
        const [first, ...others] = rows;
        if (first === undefined) continue;
        own.push(targets.length === 0 ? first : { ...first, text: `↻ ${first.text}` });
        append(own, others);
      }
      for (const target of across) this.#plan(from, target, rows);
    }
    this.#rows.set(pathKey(state.path), this.#shortened([...(this.#rows.get(pathKey(state.path)) ?? []), ...own]));
    for (const inside of state.states) this.#planArrows(inside);
  }

  #rowsOf(state: ChartState, transition: ChartTransition): DrawnRow[] {
    const key = transitionKey(state.path, transition.id);
    const guard = transition.guard === "" ? "" : `[${transition.guard}]`;
    const event = [this.#lettering.eventText(transition), guard].filter((part) => part !== "").join(" ");
    const actions = transition.actions.length === 0 ? [] : brokenRows(`/ ${transition.actions.join(", ")}`);
    return [
      ...brokenRows(event).map((text): DrawnRow => ({ text, tone: "event", transition: key })),
      ...actions.map((text): DrawnRow => ({ text, tone: "detail", transition: key })),
    ];
  }

  #shortened(rows: readonly DrawnRow[]): readonly DrawnRow[] {
    if (rows.length <= maxRows) return rows;
    const left = rows.length - maxRows + 1;
    return [...rows.slice(0, maxRows - 1), { text: this.#lettering.more(left), tone: "detail", transition: "" }];
  }

  #plan(inner: readonly string[], target: readonly string[], rows: readonly DrawnRow[]): void {
    const from = this.#atBorder(inner, target);
    const to = this.#atBorder(target, inner);
    const named = rows.map((row, index) =>
      index === 0 ? { ...row, text: `${nameIn(inner, from)}${row.text}${leadIn(target, to)}` } : row,
    );
    if (pathKey(from) === pathKey(to)) {
      this.#rows.set(pathKey(from), this.#shortened([...(this.#rows.get(pathKey(from)) ?? []), ...named]));
      return;
    }
    const isInside = from.every((key, index) => to[index] === key);
    const source = isInside ? anywhereId(pathKey(from)) : nodeId(pathKey(from));
    if (isInside) this.#anywheres.add(pathKey(from));
    const id = `${source} > ${nodeId(pathKey(to))}`;
    const place = { id, source, target: nodeId(pathKey(to)), within: isInside ? from : commonPath(from, to) };
    const arrow = this.#arrows.get(id) ?? { ...place, rows: [], transitions: [] };
    const news = named.filter(({ transition }) => !arrow.transitions.includes(transition));
    append(arrow.rows, news);
    append(arrow.transitions, new Set(news.map(({ transition }) => transition)));
    this.#arrows.set(id, arrow);
  }

  /** The outermost parallel state that has this state in one of its regions but not the other; or the state itself. */
  #atBorder(path: readonly string[], other: readonly string[]): readonly string[] {
    for (let length = 0; length < path.length; length++) {
      const outer = path.slice(0, length);
      const isCommon = path.slice(0, length + 1).every((key, index) => other[index] === key);
      if (this.#parallel.has(pathKey(outer)) && !isCommon) return outer;
    }
    return path;
  }

  #addEdge({ id, source, target, within, rows }: PlannedArrow): void {
    const widths = rows.map(({ text, tone }) => this.#lettering.widthOf(text, tone));
    const label = { id: `${id} label`, text: " ", width: Math.max(0, largest(widths)) + 8, height: rows.length * rowHeight + 4 };
    const edges = this.#edges.get(pathKey(within)) ?? [];
    edges.push({ id, sources: [source], targets: [target], labels: [label] });
    this.#edges.set(pathKey(within), edges);
  }

  #nodeOf(state: ChartState): ElkNode {
    const key = pathKey(state.path);
    const rows = this.#rows.get(key) ?? [];
    const widths = rows.map(({ text, tone }) => this.#lettering.widthOf(text, tone));
    // Leaves room beside the name for the button that unfolds the state, or for its mark.
    const width = Math.max(72, this.#lettering.widthOf(state.key, "name") + 30, largest(widths)) + 2 * inset;
    const height = nameHeight + rows.length * rowHeight + (rows.length > 0 ? inset : 4);
    const id = nodeId(key);
    if (!this.#unfolded.has(key)) return { id, width, height };
    return {
      id,
      children: [...this.#pseudoNodes(state), ...state.states.map((inside) => this.#nodeOf(inside))],
      edges: [...this.#startEdges(state), ...(this.#edges.get(key) ?? [])],
      layoutOptions: {
        "elk.padding": `[top=${height + 10},left=16,bottom=16,right=16]`,
        "elk.nodeSize.constraints": "MINIMUM_SIZE",
        "elk.nodeSize.minimum": `(${width},${height})`,
        ...(state.isParallel ? packedOptions : {}),
      },
    };
  }

  #pseudoNodes({ path, initial }: ChartState): ElkNode[] {
    const key = pathKey(path);
    const start = initial === "" ? [] : [{ id: startId(key), width: dot, height: dot }];
    if (!this.#anywheres.has(key)) return start;
    const width = this.#lettering.widthOf(this.#lettering.anywhere, "detail") + 2 * inset;
    return [...start, { id: anywhereId(key), width, height: rowHeight + 8 }];
  }

  #startEdges({ path, initial }: ChartState): ElkExtendedEdge[] {
    if (initial === "") return [];
    const key = pathKey(path);
    const target = nodeId(pathKey([...path, initial]));
    return [{ id: `${startId(key)} > ${target}`, sources: [startId(key)], targets: [target] }];
  }
}

/** Places regions beside and below each other. In one row they would be too wide for any screen. */
const packedOptions = { "elk.algorithm": "rectpacking", "elk.hierarchyHandling": "SEPARATE_CHILDREN" };

const nameIn = (path: readonly string[], from: readonly string[]): string =>
  path.length === from.length ? "" : `${path.slice(from.length).join(".")}: `;
const leadIn = (path: readonly string[], to: readonly string[]): string =>
  path.length === to.length ? "" : ` → ${path.slice(to.length).join(".")}`;

/** The path of the innermost state that contains both. */
function commonPath(one: readonly string[], other: readonly string[]): readonly string[] {
  const shorter = Math.min(one.length, other.length) - 1;
  const differs = one.findIndex((key, index) => index >= shorter || key !== other[index]);
  return one.slice(0, Math.max(0, differs));
}
