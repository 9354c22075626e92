"""A picture's media type and size out of the bytes of its file, written out here by hand."""

import base64
from io import BytesIO
from pathlib import Path

import imagesize  # pyright: ignore[reportMissingTypeStubs]
import pytest

from curriculum.context.budget import ContextBudget
from curriculum.count.for_model import counter_for_model
from curriculum.record.errors import CurriculumError
from curriculum.record.law import LawBroken
from curriculum.record.picture import picture
from curriculum.record.records import Image
from curriculum.wire.anthropic_messages import AnthropicMessages

from .own_loops import KEEP, Loop

PNG = bytes.fromhex(
    "89504e470d0a1a0a"  # what every PNG begins with
    "0000000d49484452 00000003 00000002 0800000000 b81f39c6"  # 3 x 2, 8 bits of grey
    "0000000b4944415478da63608000000008000124fc0472"
    "0000000049454e44ae426082"
)
GIF = bytes.fromhex("474946383961 0500 0400 00 00 00 3b")  # 5 x 4
JPEG_HEAD = bytes.fromhex("ffd8 ffe0 0010 4a46494600 0101 00 0001 0001 00 00")
FRAME = bytes.fromhex("ffc0 000b 08 0007 0009 01 01 11 00")  # 7 high, 9 wide
JPEG = JPEG_HEAD + FRAME + bytes.fromhex("ffda")
LOSSY = b"RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0" + bytes.fromhex("300100 9d012a 0b00 0d00")  # 11 x 13
# 14 bits of width - 1, 14 bits of height - 1: 1 | 2 << 14 = 0x8001
LOSSLESS = b"RIFF\x12\0\0\0WEBPVP8L\x05\0\0\0\x2f" + bytes.fromhex("01800000 00")  # 2 x 3
WIDE = b"RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0" + bytes.fromhex("00000000 ff0300 ff0100")  # 1024 x 512

FILES = [
    ("png", PNG, "image/png", 3, 2),
    ("gif", GIF, "image/gif", 5, 4),
    ("gif of 1987", GIF.replace(b"89a", b"87a"), "image/gif", 5, 4),
    ("jpeg", JPEG, "image/jpeg", 9, 7),
    ("webp lossy", LOSSY, "image/webp", 11, 13),
    ("webp lossless", LOSSLESS, "image/webp", 2, 3),
    ("webp extended", WIDE, "image/webp", 1024, 512),
]
every = pytest.mark.parametrize(
    ("data", "media", "width", "height"), [f[1:] for f in FILES], ids=[f[0] for f in FILES]
)


class TestPicture:
    """PNG, JPEG, GIF and WebP; the text is the file in base64."""

    @every
    def test_is_what_its_file_says(self, data: bytes, media: str, width: int, height: int) -> None:
        text, image = picture(data)
        assert Image(media, width, height) == image
        assert data == base64.b64decode(text, validate=True)

    @every
    def test_has_the_size_that_another_reader_sees(
        self, data: bytes, media: str, width: int, height: int
    ) -> None:
        assert (width, height) == imagesize.get(BytesIO(data))

    @pytest.mark.parametrize("marker", [*range(0xC0, 0xC4), *range(0xC5, 0xC8), 0xC9, 0xCA, 0xCF])
    def test_of_a_jpeg_is_in_the_first_frame_of_any_kind(self, marker: int) -> None:
        """Baseline, progressive, lossless, arithmetic; filling bytes may stand before it."""
        frame = bytes([0xFF, 0xFF, 0xFF, marker]) + FRAME[2:]
        assert Image("image/jpeg", 9, 7) == picture(JPEG_HEAD + frame)[1]

    @pytest.mark.parametrize("marker", [0xC4, 0xC8, 0xCC, 0xDB, 0xE1, 0xFE])
    def test_of_a_jpeg_is_not_that_of_a_preview_in_it(self, marker: int) -> None:
        """A segment that is no frame is passed over whole: here it holds a frame of 1 x 1."""
        inner = bytes.fromhex("ffc0000b080001000101011100")
        segment = bytes([0xFF, marker]) + (len(inner) + 2).to_bytes(2, "big") + inner
        assert Image("image/jpeg", 9, 7) == picture(JPEG_HEAD + segment + FRAME)[1]

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"GIF89a",
            b"BM6\0\0\0",
            b"<svg width='3' height='2'/>",
            PNG[:20],
            PNG.replace(b"IHDR", b"CgBI"),
            PNG[:16] + bytes(4) + PNG[20:],  # 0 wide
            PNG[:16] + b"\0\x0f\x42\x40" + PNG[20:],  # 1,000,000 wide
            JPEG_HEAD,
            JPEG_HEAD + b"\xff\xda" + FRAME,  # pixels before a frame
            JPEG_HEAD + FRAME[:8],
            JPEG_HEAD + FRAME.replace(b"\0\x07", b"\0\0"),
            LOSSY[:28],
            LOSSY.replace(b"\x9d", b"\x9e"),
            LOSSLESS[:22],
            WIDE[:29],
            WIDE.replace(b"VP8X", b"VP8Y"),
        ],
    )
    def test_is_refused_where_no_size_can_be_known(self, data: bytes) -> None:
        with pytest.raises(CurriculumError) as refused:
            picture(data)
        assert "image-unknown" == refused.value.code
        assert refused.value.evidence[0].startswith(f"{len(data)} bytes, the first: ")

    def test_a_broken_file_ends_the_reading(self) -> None:
        """Segments of length 0, and a mebibyte of filling bytes."""
        for data in (b"\xff\xd8" + b"\xff\xe0\0\0" * 9, b"\xff\xd8" + b"\xff" * 2**20):
            with pytest.raises(CurriculumError):
                picture(data)


class TestRecordOfAPicture:
    """`Recording.record("image", image=...)`: a file by its bytes or its path."""

    def loop(self) -> Loop:
        loop = Loop(
            budget=ContextBudget(max_input_tokens=9000),
            wire=AnthropicMessages("claude-opus-4-8", 500),
            counter=counter_for_model("claude-opus-4-8"),
        )
        return loop.begun()

    def test_is_sent_and_costs_what_the_rule_of_the_model_says(self) -> None:
        """1024 x 512 pixels are 37 x 19 patches of 28: 703 tokens, whatever its bytes are."""
        loop = self.loop()
        record = loop.run.record("image", image=WIDE)
        assert ("image", "external") == (record.kind, record.trust)
        made = loop.run.assemble(rest=KEEP)
        assert made.request is not None
        source = f'"media_type":"image/webp","data":"{base64.b64encode(WIDE).decode()}"'
        assert source in made.request.text
        frame = len('{"type":"image","source":{"type":"base64","media_type":"image/webp","data":}}')
        (row,) = [entry for entry in loop.goes_on().manifest(1) if entry.record.id == "r0004"]
        assert 703 + 2 * frame == row.size

    def test_may_be_a_path(self, tmp_path: Path) -> None:
        (tmp_path / "a.gif").write_bytes(GIF)
        for path in (tmp_path / "a.gif", str(tmp_path / "a.gif")):
            record = self.loop().run.record("image", image=path, trust="user", author="person")
            assert (Image("image/gif", 5, 4), "user") == (record.image, record.trust)

    def test_may_be_base64_with_what_it_is(self) -> None:
        """For formats that are not read here."""
        record = self.loop().run.record("image", "AAAA", image=Image("image/heic", 8, 6))
        assert ("AAAA", Image("image/heic", 8, 6)) == (record.text, record.image)

    def test_of_a_file_that_is_none_is_not_written(self, tmp_path: Path) -> None:
        loop = self.loop()
        for image, code in ((b"no", "image-unknown"), (tmp_path / "none.png", "image-unreadable")):
            with pytest.raises(CurriculumError) as refused:
                loop.run.record("image", image=image)
            assert code == refused.value.code
        assert 3 == len(loop.run.records)
        loop.goes_on()

    def test_has_no_other_text_and_no_other_kind(self) -> None:
        loop = self.loop()
        with pytest.raises(LawBroken, match="The text of a picture is the picture itself"):
            loop.run.record("image", "A cat.", image=GIF)
        with pytest.raises(LawBroken, match="A record of kind user is no picture"):
            loop.run.record("user", image=GIF)
        with pytest.raises(LawBroken, match="A record of kind user is no picture"):
            loop.run.record("user", "AAAA", image=Image("image/png"))
        loop.goes_on()
