import * as v from "valibot";
import { createActor, fromCallback, fromPromise } from "xstate";
import {
  type CaptionsLook,
  type CaptionsWindowActor,
  type CaptionsWindowEvent,
  captionsWindowMachine,
  largest,
} from "#machines/dictation/captions-window/machine.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { stored } from "#src/browser/stored.ts";

/** Document Picture-in-Picture, which TypeScript's library lacks. */
interface WindowsOnTop {
  requestWindow(wish: { width: number; height: number }): Promise<Window>;
}

const isWindowsOnTop = (value: unknown): value is WindowsOnTop =>
  typeof value === "object" && value !== null && "requestWindow" in value && typeof value.requestWindow === "function";

/** undefined: this browser has no such windows (Firefox, Safari, and every phone). */
function windowsOnTop(): WindowsOnTop | undefined {
  const found: unknown = Reflect.get(globalThis, "documentPictureInPicture");
  return isWindowsOnTop(found) ? found : undefined;
}

/** The last look chosen in this browser. */
const storedLook = stored<CaptionsLook>(
  "captionsLook",
  v.object({ size: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(largest)), isHighContrast: v.boolean() }),
);

/** Pixels: room for two lines in each language, and for the buttons. */
const room = { width: 560, height: 320 };

/** The captions' window, for the components that render into it. */
export interface CaptionsWindow {
  actor: CaptionsWindowActor;
  /** The window's element to render into; undefined while the window is closed. */
  host: ReadableStore<HTMLElement | undefined>;
}

/** Starts the window's actor. The caller stops the actor, which closes the window. */
export function createCaptionsWindow(): CaptionsWindow {
  const host = createStore<HTMLElement | undefined>(undefined);
  let opened: Window | undefined;
  const machine = captionsWindowMachine.provide({
    actors: {
      openWindow: fromPromise(async ({ signal }) => {
        const onTop = windowsOnTop();
        if (onTop === undefined) throw Object.assign(new Error("There are no windows on top."), { code: "unsupported" });
        const found = await onTop.requestWindow(room);
        if (signal.aborted) found.close();
        signal.throwIfAborted();
        opened = found;
        host.set(dress(found.document));
      }),
      window: fromCallback(({ sendBack }) => {
        const shown = opened;
        const report = (event: CaptionsWindowEvent) => sendBack(event);
        if (shown === undefined) throw new Error("No window is open.");
        const onHide = () => report({ type: "window.closed" });
        shown.addEventListener("pagehide", onHide);
        const stopMirroring = mirrorRoot(shown.document);
        return () => {
          shown.removeEventListener("pagehide", onHide);
          stopMirroring();
          opened = undefined;
          host.set(undefined);
          shown.close();
        };
      }),
    },
    actions: { storeLook: ({ context }) => void storedLook.keep(context.look) },
  });
  const input = { look: storedLook.read() ?? { size: 2, isHighContrast: false } };
  return { actor: createActor(machine, { ...inspected(), input }).start(), host };
}

/**
 * Copies the page's own style sheets by address, because the page's security policy also applies in the window.
 * @returns the element to render into
 */
function dress(inside: Document): HTMLElement {
  for (const sheet of document.querySelectorAll("link[rel=stylesheet], style"))
    inside.head.append(inside.importNode(sheet, true));
  const element = inside.createElement("div");
  inside.body.append(element);
  return element;
}

/**
 * Keeps the window's language, direction and theme in step with the page.
 * @returns a function that stops it
 */
function mirrorRoot(inside: Document): () => void {
  const from = document.documentElement;
  const copy = () => {
    for (const { name, value } of from.attributes) inside.documentElement.setAttribute(name, value);
    for (const name of inside.documentElement.getAttributeNames())
      if (!from.hasAttribute(name)) inside.documentElement.removeAttribute(name);
  };
  copy();
  const observer = new MutationObserver(copy);
  observer.observe(from, { attributes: true });
  return () => observer.disconnect();
}
