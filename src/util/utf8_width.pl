#!/usr/bin/perl
# Writes the table of src/util/utf8_width.c from perl's own Unicode tables: perl src/util/utf8_width.pl, with a perl of Unicode 14 (5.36).
# What the classes mean stands there. tests/width.sh compares.
use strict;
use warnings;
no warnings 'utf8';
use Unicode::UCD;

my $version = Unicode::UCD::UnicodeVersion();
$version =~ /^14\./ or die "the table is of Unicode 14, this perl knows $version\n";

sub class {
	my ($code) = @_;
	return 0 if $code >= 0xd800 && $code <= 0xdfff;
	my $character = chr $code;
	return 0 if $character =~ /[\p{Cc}\p{Cn}\p{Zl}\p{Zp}]/;
	# What is never seen makes two names look like one; variation selectors only choose a form of the character before them.
	return 0 if $character =~ /\p{Default_Ignorable_Code_Point}/ && $character !~ /[\xad\p{Variation_Selector}]/;
	return 1 if $character =~ /[\p{Mn}\p{Me}]/;
	# Of formatting characters the soft hyphen and the signs that stand before numbers are seen.
	return 0 if $character =~ /\p{Cf}/ && $character !~ /[\xad\p{Prepended_Concatenation_Mark}]/;
	return 3 if $character =~ /[\p{East_Asian_Width=W}\p{East_Asian_Width=F}]/;
	return 1 if $character =~ /[\p{Hangul_Syllable_Type=V}\p{Hangul_Syllable_Type=T}]/;
	return 2;
}

my ($line, $last) = ("\t", -1);
for my $code (0 .. 0x10ffff) {
	my $class = class($code);
	next if $class == $last;
	$last = $class;
	my $entry = sprintf '0x%x,', $code << 2 | $class;
	if (length("$line $entry") > 90) {
		print "$line\n";
		$line = "\t";
	}
	$line .= ($line eq "\t" ? '' : ' ') . $entry;
}
print "$line\n";
