import { shallowEqual } from "@xstate/react";
import type { Segment } from "#contract/index.ts";
import { offsetFollowing } from "#machines/waveform/rules.ts";
import { selectLength, selectLoop, selectOffset, selectShown } from "#machines/waveform/selectors.ts";
import { indexAt } from "#src/audio/position.ts";
import { speakerColours } from "#src/ui/speaker-colours.ts";
import type { OpenWaveform } from "./actor.ts";
import { type Bars, barStep, barsOf, barWidth, loudestOf } from "./bars.ts";

/** The layers of a waveform: the same bars in two colors. The upper layer is cut off at the playback position. */
export interface Layers {
  rest: HTMLCanvasElement;
  played: HTMLCanvasElement;
  loop: HTMLElement;
  head: HTMLElement;
}

/** The visible stretch, for the pointer. */
export interface Shown {
  /** Start and length of the view in seconds. */
  offset: number;
  seconds: number;
}

/**
 * The color of the speaker at a time (seconds); undefined without named speakers, with only one speaker, or when the
 * system forces colors.
 * @param beside the element whose theme colors are used
 */
function coloursBy(segments: readonly Segment[], beside: HTMLElement): (seconds: number) => string | undefined {
  const classes = matchMedia("(forced-colors: active)").matches ? new Map<string, string>() : speakerColours(segments);
  const probe = document.createElement("i");
  probe.style.color = "var(--speaker)";
  beside.after(probe);
  const colours = new Map<string | undefined, string>();
  for (const [speaker, name] of classes) {
    probe.className = name;
    colours.set(speaker, getComputedStyle(probe).color);
  }
  probe.remove();
  return (seconds) => colours.get(segments[indexAt(segments, seconds)]?.speaker);
}

interface Look {
  width: number;
  height: number;
  /** The color of a bar if it differs from the canvas's: the theme's, or the system's if colors are forced. */
  colourOf(bar: number): string | undefined;
}

function paint(canvas: HTMLCanvasElement, bars: Bars, { width, height, colourOf }: Look): void {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(ratio, ratio);
  const own = getComputedStyle(canvas).color;
  const middle = height / 2;
  for (let bar = 0; bar < bars.above.length; bar += 1) {
    // Draws a line in silence.
    const top = Math.max(0.5, (bars.above[bar] ?? 0) * (middle - 1));
    const bottom = Math.max(0.5, (bars.below[bar] ?? 0) * (middle - 1));
    context.fillStyle = colourOf(bar) ?? own;
    context.fillRect(bar * barStep, middle - top, barWidth, top + bottom);
  }
}

/** Calls back when colors may have changed. @returns a function that ends it */
function watchColours(onChange: () => void): () => void {
  const stop = new AbortController();
  const theme = new MutationObserver(onChange);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"])
    matchMedia(query).addEventListener("change", onChange, { signal: stop.signal });
  return () => {
    theme.disconnect();
    stop.abort();
  };
}

/**
 * Draws a waveform into its elements, and follows playback. Draws bars only when the view changes, at most one page of
 * them. During playback only styles change.
 * @param onShown called with the visible stretch
 * @returns the cleanup
 */
export function drawWaveform(
  { actor, peaks, sound }: OpenWaveform,
  { rest, played, loop, head }: Layers,
  onShown: (shown: Shown) => void,
): () => void {
  const loudest = loudestOf(peaks());
  const nothing = { offset: -1, seconds: 0, width: 0, height: 0, segments: sound.segments.get() };
  let drawn = nothing;
  let offset = 0;
  const draw = () => {
    const snapshot = actor.getSnapshot();
    const seconds = selectShown(snapshot);
    const { clientWidth: width, clientHeight: height } = rest;
    const at = sound.position.get();
    offset = selectOffset(snapshot) ?? offsetFollowing(offset, at, seconds, selectLength(snapshot));
    const next = { offset, seconds, width, height, segments: sound.segments.get() };
    if (!shallowEqual(next, drawn)) {
      drawn = next;
      const count = Math.max(1, Math.floor(width / barStep));
      const bars = barsOf(peaks(), { offset, shown: seconds, loudest, count });
      const colourAt = coloursBy(next.segments, rest);
      const colourOf = (bar: number) => colourAt(offset + ((bar + 0.5) / count) * seconds);
      for (const canvas of [rest, played]) paint(canvas, bars, { width, height, colourOf });
      onShown({ offset, seconds });
    }
    const xOf = (time: number) => Math.min(width, Math.max(0, ((time - offset) / seconds) * width));
    const x = xOf(at);
    played.style.clipPath = `inset(0 ${width - x}px 0 0)`;
    head.style.transform = `translateX(${x}px)`;
    head.hidden = at < offset || at > offset + seconds;
    const chosen = selectLoop(snapshot);
    loop.hidden = chosen === null || chosen.end < offset || chosen.start > offset + seconds;
    if (chosen === null) return;
    loop.style.transform = `translateX(${xOf(chosen.start)}px)`;
    loop.style.inlineSize = `${xOf(chosen.end) - xOf(chosen.start)}px`;
  };
  const redraw = () => {
    drawn = nothing;
    draw();
  };
  const size = new ResizeObserver(draw);
  size.observe(rest);
  const events = actor.subscribe(draw);
  const ends = [
    sound.position.subscribe(draw),
    sound.segments.subscribe(draw),
    watchColours(redraw),
    () => size.disconnect(),
    () => events.unsubscribe(),
  ];
  draw();
  return () => {
    for (const end of ends) end();
  };
}
