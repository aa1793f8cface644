import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";

interface View {
  scale: number;
  /** Position of the drawing's corner in px of the screen. */
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

/**
 * Scale limits: the first two when fitting the drawing to the view, the others when the user zooms. A drawing that does
 * not fit at the minimum (as on a phone) is panned.
 */
const [maxFit, minFit, minScale, maxScale] = [1.15, 0.25, 0.15, 3];
const margin = 8;
/** The distance of an arrow key in px, and the zoom factor of a key or button. */
const [step, zoomStep] = [60, 1.25];

function wholeView(drawing: Size, place: Size): View {
  const [width, height] = [place.width - 2 * margin, place.height - 2 * margin];
  const scale = Math.max(minFit, Math.min(width / drawing.width, height / drawing.height, maxFit));
  const middle = (size: number, room: number) => Math.max(margin, (room - size * scale) / 2);
  return { scale, x: middle(drawing.width, place.width), y: middle(drawing.height, place.height) };
}

/** Zooms by a factor around a point of the screen, which stays in place. */
function zoomed({ scale, x, y }: View, factor: number, at: { x: number; y: number }): View {
  const next = Math.min(maxScale, Math.max(minScale, scale * factor));
  return { scale: next, x: at.x - ((at.x - x) * next) / scale, y: at.y - ((at.y - y) * next) / scale };
}

/**
 * The visible part of a drawing and its scale. Shows the whole drawing until the user zooms (Ctrl and wheel, two
 * fingers, + and -) or pans (drag, wheel, arrow keys). 0 shows the whole drawing again.
 */
export function usePanZoom(drawing: Size) {
  const [place, setPlace] = useState<Size>({ width: 800, height: 500 });
  const [own, setOwn] = useState<View>();
  const drag = useRef<{ x: number; y: number }>(undefined);
  const fitted = wholeView(drawing, place);
  const view = own ?? fitted;
  const middle = { x: place.width / 2, y: place.height / 2 };
  const zoom = (factor: number, at = middle) => setOwn((before) => zoomed(before ?? fitted, factor, at));
  const pan = (x: number, y: number) => setOwn((before = fitted) => ({ ...before, x: before.x + x, y: before.y + y }));
  /** For the wheel's listener, which is added only once. */
  const latest = useRef({ zoom, pan, isFitted: own === undefined });
  latest.current = { zoom, pan, isFitted: own === undefined };

  /** Added by hand, because React's wheel listener is passive and can't stop the page from scrolling. */
  const watch = useRef((viewport: HTMLElement | null) => {
    if (viewport === null) return undefined;
    const observer = new ResizeObserver(() => setPlace({ width: viewport.clientWidth, height: viewport.clientHeight }));
    observer.observe(viewport);
    const turn = (event: WheelEvent) => {
      const { left, top } = viewport.getBoundingClientRect();
      const zooms = event.ctrlKey || event.metaKey;
      // The whole drawing is visible, so the wheel scrolls the page.
      if (!zooms && latest.current.isFitted) return;
      event.preventDefault();
      if (zooms) latest.current.zoom(Math.exp(-event.deltaY / 300), { x: event.clientX - left, y: event.clientY - top });
      else latest.current.pan(-event.deltaX, -event.deltaY);
    };
    viewport.addEventListener("wheel", turn, { passive: false });
    return () => {
      observer.disconnect();
      viewport.removeEventListener("wheel", turn);
    };
  });

  const keys = new Map([
    ["ArrowLeft", () => pan(step, 0)],
    ["ArrowRight", () => pan(-step, 0)],
    ["ArrowUp", () => pan(0, step)],
    ["ArrowDown", () => pan(0, -step)],
    ["+", () => zoom(zoomStep)],
    ["=", () => zoom(zoomStep)],
    ["-", () => zoom(1 / zoomStep)],
    ["0", () => setOwn(undefined)],
  ]);
  return {
    view,
    isFitted: own === undefined,
    zoomIn: () => zoom(zoomStep),
    zoomOut: () => zoom(1 / zoomStep),
    showAll: () => setOwn(undefined),
    watch: watch.current,
    handlers: {
      onKeyDown: (event: KeyboardEvent) => {
        const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys.get(event.key);
        if (act === undefined) return;
        event.preventDefault();
        act();
      },
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0 || (event.target instanceof Element && event.target.closest("button"))) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, y: event.clientY };
      },
      onPointerMove: (event: PointerEvent) => {
        if (drag.current === undefined) return;
        pan(event.clientX - drag.current.x, event.clientY - drag.current.y);
        drag.current = { x: event.clientX, y: event.clientY };
      },
      onPointerUp: () => {
        drag.current = undefined;
      },
      onPointerCancel: () => {
        drag.current = undefined;
      },
    },
  };
}
