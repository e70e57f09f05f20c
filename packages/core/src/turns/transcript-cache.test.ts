import type { Message } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { LaneTranscript } from './lane-transcript.js'
import { TranscriptCache } from './transcript-cache.js'

/** A transcript of at least that many characters. */
function transcriptOf(characters: number): LaneTranscript {
  const message = { role: 'user', id: 'm', parts: [{ type: 'text', text: 'x'.repeat(characters) }] } as unknown as Message
  return new LaneTranscript({ messages: [message], intents: [], states: {} })
}

function keptOf(cache: TranscriptCache, ...lanes: string[]): string[] {
  return lanes.filter((lane) => cache.get(lane) !== undefined)
}

describe('the transcript cache', () => {
  it('gives up what was used longest ago when it is full', () => {
    const cache = new TranscriptCache(3500)
    for (const lane of ['a', 'b', 'c', 'a', 'd']) cache.set(lane, transcriptOf(1000))
    expect(keptOf(cache, 'a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd'])
  })

  it('makes room by what is taken out', () => {
    const cache = new TranscriptCache(2500)
    for (const lane of ['a', 'b']) cache.set(lane, transcriptOf(1000))
    cache.delete('b')
    cache.delete('nowhere')
    cache.set('c', transcriptOf(1000))
    expect(keptOf(cache, 'a', 'c')).toEqual(['a', 'c'])
  })

  it('holds nothing that is larger than itself', () => {
    const cache = new TranscriptCache(2500)
    cache.set('a', transcriptOf(3000))
    expect(keptOf(cache, 'a')).toEqual([])
    cache.set('b', transcriptOf(1000))
    expect(keptOf(cache, 'b')).toEqual(['b'])
  })

  it('counts what a transcript grows by, and no more for a state that was replaced', () => {
    const transcript = transcriptOf(1000)
    const state = (length: number) => transcript.take([{ kind: 'state', runtime: 'r', state: 'x'.repeat(length) }])
    state(10)
    const { size } = transcript
    for (let times = 0; times < 100; times++) state(10)
    expect(transcript.size - size).toBeLessThan(10)
    state(1010)
    expect(transcript.size - size).toBeGreaterThan(990)
  })
})
