import { oneLine } from "#contract/index.ts";
import { largest } from "#contract/lists.ts";
import type { Face } from "./fonts.ts";
import { type Item, type Layout, layOut } from "./lines.ts";

/** A text in a column. Points, from the left margin. */
export interface Part {
  text: string;
  /** BCP 47; undefined: unknown. */
  language: string | undefined;
  /** Default: 10. */
  size?: number;
  colour?: string;
  x?: number;
  /** Default: as wide as the page lets it be. */
  width?: number;
}

/** Pages that are written from the top to the bottom. */
export interface Pages {
  /** Points between the margins. */
  width: number;
  /** The number of letters without a font. */
  readonly missing: number;
  /** Texts beside each other. @param after points below them @param keep not at the foot of a page */
  write(parts: readonly Part[], after: number, options?: { keep?: boolean }): void;
  space(points: number): void;
}

/** A4 in points, and its margins. */
const [pageWidth, pageHeight, margin, foot] = [595.28, 841.89, 56, 60];
const usualSize = 10;
/** Relative to the font size: scripts with marks above and below need more than Latin. */
const lineHeight = 1.5;

interface Laid extends Layout {
  part: Part;
}

/** Opens pages of a document whose margins are 0; each has its number at its foot. */
export function openPages(document: PDFKit.PDFDocument): Pages {
  const width = pageWidth - 2 * margin;
  const known = new Set<string>();
  const use = (face: Face, size: number) => {
    if (!known.has(face.name)) document.registerFont(face.name, face.bytes, face.member);
    known.add(face.name);
    return document.font(face.name).fontSize(size);
  };
  let [y, number, missing] = [pageHeight, 0, 0];
  let spoken: string | undefined;
  // The library's own marks must be outside the flipped drawing: otherwise readers look for the text at the other end
  // of the page.
  const add = document.addContent.bind(document);
  document.addContent = (data: string) => {
    if (spoken === undefined) return add(data);
    if (data === "BT") add(actualText(spoken));
    const added = add(data);
    return data === "ET" ? add("EMC") : added;
  };
  const lay = (part: Part): Laid => {
    const size = part.size ?? usualSize;
    const measure = (text: string, face: Face) => {
      const font = use(face, size);
      try {
        return font.widthOfString(text);
      } catch {
        return undefined;
      }
    };
    const layout = layOut(oneLine(part.text), { language: part.language, width: part.width ?? width, measure });
    missing += layout.missing;
    return { ...layout, part };
  };
  const draw = ({ text, face }: Item, at: { x: number; y: number; size: number }) => {
    if (text.trim() === "") return;
    use(face, at.size);
    spoken = face.shaped ? text : undefined;
    document.text(text, at.x, at.y, { lineBreak: false, baseline: "alphabetic" });
    spoken = undefined;
  };
  const drawLine = ({ lines, rtl, part }: Laid, i: number) => {
    const line = lines[i];
    if (line === undefined) return;
    document.fillColor(part.colour ?? "#000000");
    const left = margin + (part.x ?? 0);
    let x = rtl ? left + (part.width ?? width) - line.width : left;
    const size = part.size ?? usualSize;
    for (const item of line.items) {
      draw(item, { x, y: y + usualSize, size });
      x += item.width;
    }
  };
  const turn = () => {
    document.addPage();
    number += 1;
    y = pageHeight - foot + 24;
    drawLine(lay({ text: String(number), language: undefined, size: 8, colour: "#595959" }), 0);
    y = margin;
  };
  return {
    width,
    get missing() {
      return missing;
    },
    write: (parts, after, { keep = false } = {}) => {
      const laid = parts.map(lay);
      const height = largest(parts.map(({ size = usualSize }) => size)) * lineHeight;
      for (let i = 0; i < largest(laid.map(({ lines }) => lines.length)); i++) {
        if (y + height * (keep ? 2 : 1) > pageHeight - foot) turn();
        for (const part of laid) drawLine(part, i);
        y += height;
      }
      y += after;
    },
    space: (points) => {
      y += points;
    },
  };
}

/** The start of a mark with the actual text (PDF 32000-1, 14.9.4), in UTF-16. */
const actualText = (text: string): string =>
  `/Span <</ActualText <FEFF${Buffer.from(text, "utf16le").swap16().toString("hex")}>>> BDC`;
