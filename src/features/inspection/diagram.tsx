import { type CSSProperties, memo } from "react";
import { useTranslation } from "react-i18next";
import type { Drawing, DrawnArrow, DrawnRow, DrawnState, Point } from "#machines/inspection/drawing.ts";
import { isActive, matches, pathKey } from "#machines/inspection/rules.ts";
import { IconButton } from "#src/ui/button.tsx";
import styles from "./diagram.module.css";
import { usePanZoom } from "./pan-zoom.ts";

interface DiagramProps {
  name: string;
  drawing: Drawing;
  /** The value of the selected snapshot. */
  value: unknown;
  /** The transitions that led to the snapshot (`transitionKey`). */
  taken: readonly string[];
  /** The search term, in lower case. */
  term: string;
  onToggle(path: string, isUnfolded: boolean): void;
}

/** A statechart as boxes with arrows between them. Fits into the view until the user zooms or pans. */
export function Diagram({ name, drawing, ...marks }: DiagramProps) {
  const { t } = useTranslation("inspection");
  const { view, watch, handlers, isFitted, zoomIn, zoomOut, showAll } = usePanZoom(drawing);
  const transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  return (
    <div className={styles.frame}>
      <section
        ref={watch}
        className={styles.viewport}
        aria-label={t("diagramOf", { name })}
        aria-description={t("diagramKeys")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is larger than its place is moved by the arrow keys.
        tabIndex={0}
        data-fitted={isFitted}
        {...handlers}
      >
        <div className={styles.drawing} style={drawingStyle(drawing, view.scale, transform)}>
          <Drawn drawing={drawing} {...marks} />
        </div>
      </section>
      <div className={styles.tools}>
        <IconButton icon="plus" label={t("zoomIn")} onClick={zoomIn} />
        <IconButton icon="minus" label={t("zoomOut")} onClick={zoomOut} />
        <IconButton icon="expand" label={t("showAll")} onClick={showAll} />
      </div>
    </div>
  );
}

/**
 * Sets the scale as `--scale`, so that the last transitions and the text under the pointer stay legible at any zoom.
 */
function drawingStyle({ width, height }: Drawing, scale: number, transform: string): CSSProperties & { "--scale": number } {
  return { inlineSize: width, blockSize: height, transform, "--scale": scale };
}

/** Memoized, so that panning does not render it again. */
const Drawn = memo(function Drawn({ drawing, value, taken, term, onToggle }: Omit<DiagramProps, "name">) {
  const marked = new Set(taken);
  const isTaken = ({ transitions }: DrawnArrow) => transitions.some((key) => marked.has(key));
  // Draws taken transitions above the others.
  const arrows = drawing.arrows.toSorted((one, other) => Number(isTaken(one)) - Number(isTaken(other)));
  return (
    <>
      {drawing.states.map((drawn) => (
        <StateBox
          key={pathKey(drawn.state.path)}
          drawn={drawn}
          active={isActive(value, drawn.state.path)}
          found={matches(drawn.state, term)}
          marked={marked}
          onToggle={onToggle}
        />
      ))}
      <svg className={styles.lines} width={drawing.width} height={drawing.height} aria-hidden="true">
        <defs>
          <marker
            id="head"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="9"
            markerHeight="9"
            orient="auto-start-reverse"
            markerUnits="userSpaceOnUse"
          >
            <path d="M0 0 8 4 0 8z" fill="context-stroke" />
          </marker>
        </defs>
        {drawing.starts.map(({ x, y, width }) => (
          <circle key={`${x} ${y}`} cx={x + width / 2} cy={y + width / 2} r={width / 2 - 1} />
        ))}
        {arrows.map((arrow) => (
          <path key={arrow.id} d={pathOf(arrow.points)} data-taken={isTaken(arrow)} markerEnd="url(#head)" />
        ))}
      </svg>
      {drawing.anywheres.map(({ x, y, width, height, text, path }) => (
        <span
          key={pathKey(path)}
          className={styles.anywhere}
          style={{ insetInlineStart: x, insetBlockStart: y, inlineSize: width, blockSize: height }}
        >
          {text}
        </span>
      ))}
      {arrows.map((arrow) => (
        <Label key={arrow.id} arrow={arrow} taken={isTaken(arrow)} marked={marked} term={term} />
      ))}
    </>
  );
});

interface StateBoxProps {
  drawn: DrawnState;
  active: boolean;
  found: boolean;
  marked: ReadonlySet<string>;
  onToggle(path: string, isUnfolded: boolean): void;
}

function StateBox({ drawn: { state, isUnfolded, rows, x, y, width, height }, active, found, marked, onToggle }: StateBoxProps) {
  const { t } = useTranslation("inspection");
  const path = pathKey(state.path);
  const folds = state.states.length > 0 && path !== "";
  return (
    <div
      className={styles.state}
      style={{ insetInlineStart: x, insetBlockStart: y, inlineSize: width, blockSize: height }}
      data-state={path}
      data-active={active}
      data-found={found}
      data-open={isUnfolded}
      data-parallel={state.isParallel}
      data-final={state.isFinal}
    >
      {folds ? (
        <button type="button" className={styles.name} aria-expanded={isUnfolded} onClick={() => onToggle(path, !isUnfolded)}>
          <span data-name="">{state.key}</span>
        </button>
      ) : (
        <p className={styles.name}>
          <span data-name="">{state.key}</span>
        </p>
      )}
      {active ? <span className="visuallyHidden">{t("active")}</span> : null}
      <Rows rows={rows} marked={marked} />
    </div>
  );
}

interface LabelProps {
  arrow: DrawnArrow;
  taken: boolean;
  marked: ReadonlySet<string>;
  term: string;
}

function Label({ arrow: { label, rows }, taken, marked, term }: LabelProps) {
  if (rows.length === 0) return null;
  const found = term !== "" && rows.some(({ text }) => text.toLowerCase().includes(term));
  return (
    <div
      className={styles.label}
      style={{ insetInlineStart: label.x, insetBlockStart: label.y, inlineSize: label.width, blockSize: label.height }}
      data-taken={taken}
      data-found={found}
    >
      <Rows rows={rows} marked={marked} />
    </div>
  );
}

function Rows({ rows, marked }: { rows: readonly DrawnRow[]; marked: ReadonlySet<string> }) {
  return rows.map(({ text, tone, transition }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a drawing's rows never move.
    <span key={index} className={styles.row} data-tone={tone} data-taken={marked.has(transition)}>
      {text}
    </span>
  ));
}

/** A line with slightly rounded corners. */
function pathOf(points: readonly Point[]): string {
  return points
    .map((point, index) => {
      const [before, after] = [points[index - 1], points[index + 1]];
      if (before === undefined) return `M${point.x} ${point.y}`;
      if (after === undefined) return `L${point.x} ${point.y}`;
      const [one, other] = [towards(point, before), towards(point, after)];
      return `L${one.x} ${one.y}Q${point.x} ${point.y} ${other.x} ${other.y}`;
    })
    .join("");
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : Math.min(6, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
