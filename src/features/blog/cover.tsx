import type { BlogImage } from "#contract/index.ts";
import { places } from "#src/api/http.ts";
import { pictureAddress } from "#src/ui/markdown/addresses.ts";

interface CoverProps {
  image: BlogImage | null;
  className: string | undefined;
  /** Decorative: the title beside it says enough. */
  decorative?: boolean;
  /** At the top of the page: loads eagerly. */
  first?: boolean;
}

/** A post's picture, if it is hosted by us; one that the content security policy would block leaves no gap. */
export function Cover({ image, className, decorative = false, first = false }: CoverProps) {
  const address = pictureAddress(image?.url, places());
  if (image === null || !address?.own) return null;
  return (
    <img
      className={className}
      src={address.src}
      alt={decorative ? "" : image.alt}
      width={image.width}
      height={image.height}
      loading={first ? "eager" : "lazy"}
      fetchPriority={first ? "high" : "auto"}
      decoding="async"
    />
  );
}
