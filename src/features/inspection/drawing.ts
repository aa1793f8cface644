import type { ELK, ElkExtendedEdge, ElkNode, ElkShape } from "elkjs/lib/elk-api.js";
import type { Box, Drawing, DrawnArrow, DrawnState } from "#machines/inspection/drawing.ts";
import type { LayoutInput } from "#machines/inspection/machine.ts";
import { type ChartState, pathKey, statesOf } from "#machines/inspection/rules.ts";
import { anywhereId, type DrawingGraph, graphOf, type Lettering, nodeId, startId } from "./drawing-graph.ts";

/** Layout options inside every state. Arrows may cross the borders of states. */
const options = {
  "elk.algorithm": "layered",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.edgeLabels.inline": "true",
  "elk.json.edgeCoords": "ROOT",
  "elk.json.shapeCoords": "ROOT",
  // Tighter than ELK's defaults, because about thirty states must be visible at once.
  "elk.layered.compaction.postCompaction.strategy": "EDGE_LENGTH",
  "elk.spacing.nodeNode": "12",
  "elk.spacing.edgeNode": "8",
  "elk.spacing.edgeEdge": "6",
  "elk.layered.spacing.nodeNodeBetweenLayers": "14",
  "elk.layered.spacing.edgeNodeBetweenLayers": "6",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "6",
};
/** Approximate width / height of the view. */
const shape = 1.5;

/**
 * Lays a chart out from left to right and from top to bottom, and takes the layout that is larger when it fits into the
 * view.
 */
export async function draw(elk: Pick<ELK, "layout">, { chart, unfolded }: LayoutInput, lettering: Lettering): Promise<Drawing> {
  const graph = graphOf(chart, unfolded, lettering);
  const layOut = (direction: string): Promise<ElkNode> =>
    elk.layout(structuredClone(graph.root), {
      layoutOptions: { ...options, "elk.direction": direction, "elk.aspectRatio": String(shape) },
    });
  const [across, down] = await Promise.all([layOut("RIGHT"), layOut("DOWN")]);
  return drawingOf(sizeOf(across) <= sizeOf(down) ? across : down, chart, graph);
}

/** The larger this size, the more the drawing must shrink to fit into the view. */
const sizeOf = ({ width = 0, height = 0 }: ElkNode): number => Math.max(width, height * shape);

const boxOf = ({ x = 0, y = 0, width = 0, height = 0 }: ElkShape): Box => ({ x, y, width, height });

const nodesOf = (node: ElkNode): ElkNode[] => [node, ...(node.children ?? []).flatMap(nodesOf)];

/** Converts ELK's layout into a drawing. @param root with coordinates relative to the root's corner */
function drawingOf(root: ElkNode, chart: ChartState, { arrows, rows, unfolded, anywhere }: DrawingGraph): Drawing {
  const nodes = nodesOf(root);
  const boxes = new Map(nodes.map((node) => [node.id, boxOf(node)]));
  const edges = nodes.flatMap(({ edges = [] }) => edges);
  const states = statesOf(chart).flatMap((state): DrawnState[] => {
    const key = pathKey(state.path);
    const box = boxes.get(nodeId(key));
    return box === undefined ? [] : [{ ...box, state, isUnfolded: unfolded.has(key), rows: rows.get(key) ?? [] }];
  });
  return {
    ...boxOf(root),
    states,
    starts: states.flatMap(({ state }) => boxes.get(startId(pathKey(state.path))) ?? []),
    anywheres: states.flatMap(({ state: { path } }) => {
      const box = boxes.get(anywhereId(pathKey(path)));
      return box === undefined ? [] : [{ ...box, path, text: anywhere }];
    }),
    arrows: edges.map((edge): DrawnArrow => arrowOf(edge, arrows.get(edge.id))),
  };
}

function arrowOf(edge: ElkExtendedEdge, planned: Pick<DrawnArrow, "rows" | "transitions"> | undefined): DrawnArrow {
  const points = (edge.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ]);
  return {
    id: edge.id,
    points: points.map(({ x, y }) => ({ x, y })),
    label: boxOf(edge.labels?.[0] ?? {}),
    rows: planned?.rows ?? [],
    transitions: planned?.transitions ?? [],
  };
}
