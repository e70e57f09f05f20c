/**
 * How long a store remembers at least what a command with an id answered, milliseconds. Whoever has no answer tries again within
 * seconds; a longer memory would only cost space.
 */
export const appliedMemoryMs = 10 * 60 * 1000
