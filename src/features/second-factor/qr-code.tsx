import { useMemo } from "react";
import { encode } from "uqr";
import styles from "./second-factor.module.css";

interface QrCodeProps {
  text: string;
  /** Text for screen readers. */
  label: string;
}

/** Modules of free space on each side (ISO/IEC 18004, section 9.1). */
const quietZone = 4;

/** A QR code. It is dark on light in both themes, because some apps read no other. */
export default function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}

/** @returns the code's width in modules, and a path of the dark modules, in runs of each line */
function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: quietZone });
  const lines = data.map((line, y) => line.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""));
  return { size, path: lines.join("") };
}
