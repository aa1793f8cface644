import { selectLength } from "#machines/waveform/selectors.ts";
import type { OpenWaveform } from "./actor.ts";
import type { Shown } from "./drawing.ts";

/** Wheel units for one zoom step. A notch of a wheel has about 100; a pinch on a touchpad sends many small ones. */
const zoomEvery = 60;

/**
 * Handles pointer and wheel on a waveform. A click or drag sets the position; with Shift, a loop. The wheel with Ctrl
 * (or a pinch) zooms at the pointer; a sideways wheel scrolls the view.
 * @param shown returns the visible stretch
 * @returns the cleanup
 */
export function hearPointer({ actor }: OpenWaveform, surface: HTMLElement, shown: () => Shown): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  /** The start of a dragged loop (seconds); null while the position is dragged. */
  let dragged: { from: number | null } | null = null;
  const length = () => selectLength(actor.getSnapshot());
  const fractionAt = (x: number) => {
    const { left, width } = surface.getBoundingClientRect();
    return width === 0 ? 0 : Math.min(1, Math.max(0, (x - left) / width));
  };
  const timeAt = (x: number) => Math.min(length(), shown().offset + fractionAt(x) * shown().seconds);
  const choose = (x: number) => {
    const seconds = timeAt(x);
    if (dragged === null || dragged.from === null) actor.send({ type: "position.chosen", seconds });
    else actor.send({ type: "loop.drawn", from: dragged.from, to: seconds });
  };
  const drop = () => {
    if (dragged !== null && dragged.from !== null) actor.send({ type: "loop.dropped" });
    dragged = null;
  };
  surface.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      surface.setPointerCapture(event.pointerId);
      dragged = { from: event.shiftKey ? timeAt(event.clientX) : null };
      choose(event.clientX);
    },
    { signal },
  );
  surface.addEventListener("pointermove", ({ clientX }) => (dragged === null ? undefined : choose(clientX)), { signal });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const)
    surface.addEventListener(end, drop, { signal });

  let turned = 0;
  const turn = (event: WheelEvent) => {
    if (event.ctrlKey) {
      event.preventDefault();
      turned += event.deltaY;
      if (Math.abs(turned) < zoomEvery) return;
      const fraction = fractionAt(event.clientX);
      actor.send({ type: "zoom.stepped", steps: turned < 0 ? 1 : -1, anchor: { seconds: timeAt(event.clientX), fraction } });
      turned = 0;
      return;
    }
    const sideways = event.deltaX === 0 && event.shiftKey ? event.deltaY : event.deltaX;
    if (sideways === 0 || shown().seconds >= length()) return;
    event.preventDefault();
    const { offset, seconds } = shown();
    actor.send({ type: "view.moved", offset: offset + (sideways / Math.max(1, surface.clientWidth)) * seconds });
  };
  surface.addEventListener("wheel", turn, { signal, passive: false });
  return () => stop.abort();
}

/** Makes "+" and "-" zoom, wherever the focus is in the player. @returns the cleanup */
export function hearZoomKeys({ actor }: OpenWaveform, surface: HTMLElement): () => void {
  const player = surface.closest<HTMLElement>("[data-covers-bottom]") ?? surface;
  const hear = (event: KeyboardEvent) => {
    const steps = { "+": 1, "=": 1, "-": -1 }[event.key];
    if (steps === undefined || event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLSelectElement)
      return;
    event.preventDefault();
    actor.send({ type: "zoom.stepped", steps });
  };
  player.addEventListener("keydown", hear);
  return () => player.removeEventListener("keydown", hear);
}
