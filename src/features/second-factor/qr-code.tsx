import { useMemo } from "react";
import { encode } from "uqr";
import styles from "./second-factor.module.css";

interface QrCodeProps {
  text: string;
  /** What it is, for who does not see it. */
  label: string;
}

/** Modules of free space on each side (ISO/IEC 18004, section 9.1). */
const quietZone = 4;

/** A QR code. It is dark on light in either theme: some apps read no other. */
export default function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}

/** @returns its width in modules, and the dark ones as runs of each line */
function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: quietZone });
  const lines = data.map((line, y) => line.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""));
  return { size, path: lines.join("") };
}
