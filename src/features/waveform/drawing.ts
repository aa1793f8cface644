import { shallowEqual } from "@xstate/react";
import type { Segment } from "#contract/index.ts";
import { offsetFollowing } from "#machines/waveform/rules.ts";
import { selectLength, selectLoop, selectOffset, selectShown } from "#machines/waveform/selectors.ts";
import { indexAt } from "#src/audio/position.ts";
import { speakerColours } from "#src/ui/speaker-colours.ts";
import type { OpenWaveform } from "./actor.ts";
import { type Bars, barStep, barsOf, barWidth, loudestOf } from "./bars.ts";

/** The elements of a waveform, one above the other: the same bars in two colours, the upper ones cut off where it is played. */
export interface Layers {
  rest: HTMLCanvasElement;
  played: HTMLCanvasElement;
  loop: HTMLElement;
  head: HTMLElement;
}

/** What is shown, as the pointer needs it. */
export interface Shown {
  /** Where the view begins, and its length (seconds). */
  offset: number;
  seconds: number;
}

/**
 * The colour of whoever speaks at a time (seconds); undefined where nobody is named, or only one person speaks, or
 * the system chooses the colours.
 * @param beside where the theme's colours are asked for
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
  /** Of a bar, where it is not the canvas's own: the theme's, or the system's where colours are forced. */
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
    // A line where nothing is heard.
    const top = Math.max(0.5, (bars.above[bar] ?? 0) * (middle - 1));
    const bottom = Math.max(0.5, (bars.below[bar] ?? 0) * (middle - 1));
    context.fillStyle = colourOf(bar) ?? own;
    context.fillRect(bar * barStep, middle - top, barWidth, top + bottom);
  }
}

/** Calls back when colours may be others. @returns ends it */
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
 * Draws a waveform into its elements, and follows what is played. Bars are drawn when the view changes (at most a page of it at a
 * time); with each frame of playing only styles change.
 * @param onShown is told what is shown
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
